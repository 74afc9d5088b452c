OPENQASM 3.0;
include "stdgates.inc";
bit[15] erased;
qubit[51] q;
ccx q[1], q[0], q[36];
cx q[3], q[2];
cx q[36], q[2];
cx q[4], q[3];
ccx q[2], q[3], q[37];
cx q[4], q[3];
cx q[36], q[2];
cx q[3], q[2];
cx q[5], q[3];
cx q[6], q[3];
cx q[37], q[3];
cx q[7], q[6];
ccx q[3], q[6], q[38];
cx q[7], q[6];
cx q[37], q[3];
cx q[6], q[3];
cx q[5], q[3];
cx q[9], q[6];
cx q[10], q[6];
cx q[38], q[6];
cx q[11], q[10];
ccx q[6], q[10], q[39];
cx q[11], q[10];
cx q[38], q[6];
cx q[10], q[6];
cx q[9], q[6];
cx q[5], q[3];
cx q[37], q[3];
ccx q[8], q[3], q[40];
cx q[37], q[3];
cx q[5], q[3];
cx q[12], q[10];
cx q[13], q[10];
cx q[39], q[10];
cx q[40], q[10];
cx q[14], q[13];
ccx q[10], q[13], q[41];
cx q[14], q[13];
cx q[40], q[10];
cx q[39], q[10];
cx q[13], q[10];
cx q[12], q[10];
cx q[16], q[13];
cx q[17], q[13];
cx q[41], q[13];
cx q[18], q[17];
ccx q[13], q[17], q[42];
cx q[18], q[17];
cx q[41], q[13];
cx q[17], q[13];
cx q[16], q[13];
cx q[12], q[10];
cx q[39], q[10];
cx q[40], q[10];
ccx q[15], q[10], q[43];
cx q[40], q[10];
cx q[39], q[10];
cx q[12], q[10];
cx q[20], q[17];
cx q[21], q[17];
cx q[42], q[17];
cx q[43], q[17];
cx q[22], q[21];
ccx q[17], q[21], q[44];
cx q[22], q[21];
cx q[43], q[17];
cx q[42], q[17];
cx q[21], q[17];
cx q[20], q[17];
cx q[24], q[21];
cx q[25], q[21];
cx q[44], q[21];
cx q[26], q[25];
ccx q[21], q[25], q[45];
cx q[26], q[25];
cx q[44], q[21];
cx q[25], q[21];
cx q[24], q[21];
cx q[20], q[17];
cx q[42], q[17];
cx q[43], q[17];
ccx q[23], q[17], q[46];
cx q[43], q[17];
cx q[42], q[17];
cx q[20], q[17];
cx q[12], q[10];
cx q[39], q[10];
cx q[40], q[10];
ccx q[19], q[10], q[47];
cx q[40], q[10];
cx q[39], q[10];
cx q[12], q[10];
cx q[27], q[25];
cx q[28], q[25];
cx q[45], q[25];
cx q[46], q[25];
cx q[47], q[25];
cx q[29], q[28];
ccx q[25], q[28], q[48];
cx q[29], q[28];
cx q[47], q[25];
cx q[46], q[25];
cx q[45], q[25];
cx q[28], q[25];
cx q[27], q[25];
cx q[31], q[28];
cx q[32], q[28];
cx q[48], q[28];
cx q[33], q[32];
ccx q[28], q[32], q[49];
cx q[33], q[32];
cx q[48], q[28];
cx q[32], q[28];
cx q[31], q[28];
cx q[27], q[25];
cx q[45], q[25];
cx q[46], q[25];
cx q[47], q[25];
ccx q[30], q[25], q[50];
cx q[47], q[25];
cx q[46], q[25];
cx q[45], q[25];
cx q[27], q[25];
cx q[36], q[2];
h q[36];
erased[0] = measure q[36];
if (erased[0]) {
  x q[36];
  cz q[0], q[1];
}
cx q[37], q[5];
h q[37];
erased[1] = measure q[37];
if (erased[1]) {
  x q[37];
  cz q[2], q[3];
  cz q[2], q[4];
  z q[3];
  cz q[3], q[4];
}
cx q[38], q[9];
h q[38];
erased[2] = measure q[38];
if (erased[2]) {
  x q[38];
  cz q[3], q[6];
  cz q[3], q[7];
  cz q[5], q[6];
  cz q[5], q[7];
  z q[6];
  cz q[6], q[7];
}
cx q[39], q[12];
h q[39];
erased[3] = measure q[39];
if (erased[3]) {
  x q[39];
  cz q[6], q[10];
  cz q[6], q[11];
  cz q[9], q[10];
  cz q[9], q[11];
  z q[10];
  cz q[10], q[11];
}
cx q[40], q[12];
h q[40];
erased[4] = measure q[40];
if (erased[4]) {
  x q[40];
  cz q[3], q[8];
  cz q[5], q[8];
}
cx q[41], q[16];
h q[41];
erased[5] = measure q[41];
if (erased[5]) {
  x q[41];
  cz q[10], q[13];
  cz q[10], q[14];
  cz q[12], q[13];
  cz q[12], q[14];
  z q[13];
  cz q[13], q[14];
}
cx q[42], q[20];
h q[42];
erased[6] = measure q[42];
if (erased[6]) {
  x q[42];
  cz q[13], q[17];
  cz q[13], q[18];
  cz q[16], q[17];
  cz q[16], q[18];
  z q[17];
  cz q[17], q[18];
}
cx q[43], q[20];
h q[43];
erased[7] = measure q[43];
if (erased[7]) {
  x q[43];
  cz q[10], q[15];
  cz q[12], q[15];
}
cx q[44], q[24];
h q[44];
erased[8] = measure q[44];
if (erased[8]) {
  x q[44];
  cz q[17], q[21];
  cz q[17], q[22];
  cz q[20], q[21];
  cz q[20], q[22];
  z q[21];
  cz q[21], q[22];
}
cx q[45], q[27];
h q[45];
erased[9] = measure q[45];
if (erased[9]) {
  x q[45];
  cz q[21], q[25];
  cz q[21], q[26];
  cz q[24], q[25];
  cz q[24], q[26];
  z q[25];
  cz q[25], q[26];
}
cx q[46], q[27];
h q[46];
erased[10] = measure q[46];
if (erased[10]) {
  x q[46];
  cz q[17], q[23];
  cz q[20], q[23];
}
cx q[47], q[27];
h q[47];
erased[11] = measure q[47];
if (erased[11]) {
  x q[47];
  cz q[10], q[19];
  cz q[12], q[19];
}
cx q[48], q[31];
h q[48];
erased[12] = measure q[48];
if (erased[12]) {
  x q[48];
  cz q[25], q[28];
  cz q[25], q[29];
  cz q[27], q[28];
  cz q[27], q[29];
  z q[28];
  cz q[28], q[29];
}
cx q[49], q[34];
h q[49];
erased[13] = measure q[49];
if (erased[13]) {
  x q[49];
  cz q[28], q[32];
  cz q[28], q[33];
  cz q[31], q[32];
  cz q[31], q[33];
  z q[32];
  cz q[32], q[33];
}
cx q[50], q[34];
h q[50];
erased[14] = measure q[50];
if (erased[14]) {
  x q[50];
  cz q[25], q[30];
  cz q[27], q[30];
}
cx q[3], q[2];
cx q[4], q[2];
cx q[3], q[5];
cx q[6], q[5];
cx q[7], q[5];
cx q[10], q[9];
cx q[11], q[9];
cx q[6], q[9];
cx q[10], q[12];
cx q[13], q[12];
cx q[14], q[12];
cx q[17], q[16];
cx q[18], q[16];
cx q[13], q[16];
cx q[17], q[20];
cx q[21], q[20];
cx q[22], q[20];
cx q[25], q[24];
cx q[26], q[24];
cx q[21], q[24];
cx q[25], q[27];
cx q[28], q[27];
cx q[29], q[27];
cx q[32], q[30];
cx q[33], q[30];
cx q[28], q[31];
cx q[32], q[34];
cx q[0], q[35];
cx q[1], q[35];
