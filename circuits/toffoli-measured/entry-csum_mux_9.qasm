OPENQASM 3.0;
include "stdgates.inc";
bit[14] erased;
qubit[44] q;
cx q[3], q[2];
ccx q[0], q[2], q[30];
cx q[3], q[2];
cx q[3], q[2];
ccx q[1], q[2], q[31];
cx q[3], q[2];
cx q[9], q[8];
ccx q[6], q[8], q[32];
cx q[9], q[8];
cx q[9], q[8];
ccx q[7], q[8], q[33];
cx q[9], q[8];
cx q[17], q[16];
ccx q[14], q[16], q[34];
cx q[17], q[16];
cx q[17], q[16];
ccx q[15], q[16], q[35];
cx q[17], q[16];
cx q[23], q[22];
ccx q[20], q[22], q[36];
cx q[23], q[22];
cx q[23], q[22];
ccx q[21], q[22], q[37];
cx q[23], q[22];
cx q[4], q[2];
cx q[30], q[2];
cx q[11], q[10];
cx q[32], q[10];
cx q[33], q[10];
ccx q[2], q[10], q[38];
cx q[33], q[10];
cx q[32], q[10];
cx q[11], q[10];
cx q[30], q[2];
cx q[4], q[2];
cx q[5], q[2];
cx q[31], q[2];
cx q[11], q[10];
cx q[32], q[10];
cx q[33], q[10];
ccx q[2], q[10], q[39];
cx q[33], q[10];
cx q[32], q[10];
cx q[11], q[10];
cx q[31], q[2];
cx q[5], q[2];
cx q[18], q[16];
cx q[34], q[16];
cx q[25], q[24];
cx q[36], q[24];
cx q[37], q[24];
ccx q[16], q[24], q[40];
cx q[37], q[24];
cx q[36], q[24];
cx q[25], q[24];
cx q[34], q[16];
cx q[18], q[16];
cx q[19], q[16];
cx q[35], q[16];
cx q[25], q[24];
cx q[36], q[24];
cx q[37], q[24];
ccx q[16], q[24], q[41];
cx q[37], q[24];
cx q[36], q[24];
cx q[25], q[24];
cx q[35], q[16];
cx q[19], q[16];
cx q[10], q[8];
cx q[12], q[8];
cx q[32], q[8];
cx q[38], q[8];
cx q[27], q[26];
cx q[40], q[26];
cx q[41], q[26];
ccx q[8], q[26], q[42];
cx q[41], q[26];
cx q[40], q[26];
cx q[27], q[26];
cx q[38], q[8];
cx q[32], q[8];
cx q[12], q[8];
cx q[10], q[8];
cx q[10], q[8];
cx q[13], q[8];
cx q[32], q[8];
cx q[39], q[8];
cx q[27], q[26];
cx q[40], q[26];
cx q[41], q[26];
ccx q[8], q[26], q[43];
cx q[41], q[26];
cx q[40], q[26];
cx q[27], q[26];
cx q[39], q[8];
cx q[32], q[8];
cx q[13], q[8];
cx q[10], q[8];
cx q[30], q[4];
h q[30];
erased[0] = measure q[30];
if (erased[0]) {
  x q[30];
  cz q[0], q[2];
  cz q[0], q[3];
}
cx q[31], q[5];
h q[31];
erased[1] = measure q[31];
if (erased[1]) {
  x q[31];
  cz q[1], q[2];
  cz q[1], q[3];
}
cx q[32], q[10];
h q[32];
erased[2] = measure q[32];
if (erased[2]) {
  x q[32];
  cz q[6], q[8];
  cz q[6], q[9];
}
cx q[33], q[11];
h q[33];
erased[3] = measure q[33];
if (erased[3]) {
  x q[33];
  cz q[7], q[8];
  cz q[7], q[9];
}
cx q[34], q[18];
h q[34];
erased[4] = measure q[34];
if (erased[4]) {
  x q[34];
  cz q[14], q[16];
  cz q[14], q[17];
}
cx q[35], q[19];
h q[35];
erased[5] = measure q[35];
if (erased[5]) {
  x q[35];
  cz q[15], q[16];
  cz q[15], q[17];
}
cx q[36], q[24];
h q[36];
erased[6] = measure q[36];
if (erased[6]) {
  x q[36];
  cz q[20], q[22];
  cz q[20], q[23];
}
cx q[37], q[25];
h q[37];
erased[7] = measure q[37];
if (erased[7]) {
  x q[37];
  cz q[21], q[22];
  cz q[21], q[23];
}
cx q[38], q[12];
h q[38];
erased[8] = measure q[38];
if (erased[8]) {
  x q[38];
  cz q[2], q[10];
  cz q[2], q[11];
  cz q[4], q[10];
  cz q[4], q[11];
}
cx q[39], q[13];
h q[39];
erased[9] = measure q[39];
if (erased[9]) {
  x q[39];
  cz q[2], q[10];
  cz q[2], q[11];
  cz q[5], q[10];
  cz q[5], q[11];
}
cx q[40], q[26];
h q[40];
erased[10] = measure q[40];
if (erased[10]) {
  x q[40];
  cz q[16], q[24];
  cz q[16], q[25];
  cz q[18], q[24];
  cz q[18], q[25];
}
cx q[41], q[27];
h q[41];
erased[11] = measure q[41];
if (erased[11]) {
  x q[41];
  cz q[16], q[24];
  cz q[16], q[25];
  cz q[19], q[24];
  cz q[19], q[25];
}
cx q[42], q[28];
h q[42];
erased[12] = measure q[42];
if (erased[12]) {
  x q[42];
  cz q[8], q[26];
  cz q[8], q[27];
  cz q[10], q[26];
  cz q[10], q[27];
  cz q[12], q[26];
  cz q[12], q[27];
}
cx q[43], q[29];
h q[43];
erased[13] = measure q[43];
if (erased[13]) {
  x q[43];
  cz q[8], q[26];
  cz q[8], q[27];
  cz q[10], q[26];
  cz q[10], q[27];
  cz q[13], q[26];
  cz q[13], q[27];
}
cx q[2], q[4];
cx q[2], q[5];
cx q[8], q[10];
cx q[8], q[11];
cx q[10], q[12];
cx q[10], q[13];
cx q[16], q[18];
cx q[16], q[19];
cx q[22], q[24];
cx q[22], q[25];
cx q[24], q[26];
cx q[24], q[27];
cx q[26], q[28];
cx q[26], q[29];
