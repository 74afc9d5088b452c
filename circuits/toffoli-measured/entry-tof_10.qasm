OPENQASM 3.0;
include "stdgates.inc";
bit[9] erased;
qubit[28] q;
ccx q[0], q[1], q[19];
cx q[19], q[10];
ccx q[10], q[2], q[20];
cx q[19], q[10];
cx q[20], q[11];
ccx q[11], q[3], q[21];
cx q[20], q[11];
cx q[21], q[12];
ccx q[12], q[4], q[22];
cx q[21], q[12];
cx q[22], q[13];
ccx q[13], q[5], q[23];
cx q[22], q[13];
cx q[23], q[14];
ccx q[14], q[6], q[24];
cx q[23], q[14];
cx q[24], q[15];
ccx q[15], q[7], q[25];
cx q[24], q[15];
cx q[25], q[16];
ccx q[16], q[8], q[26];
cx q[25], q[16];
cx q[26], q[17];
ccx q[17], q[9], q[27];
cx q[26], q[17];
cx q[27], q[18];
h q[27];
erased[0] = measure q[27];
if (erased[0]) {
  x q[27];
  cz q[9], q[17];
  cz q[9], q[26];
}
h q[26];
erased[1] = measure q[26];
if (erased[1]) {
  x q[26];
  cz q[8], q[16];
  cz q[8], q[25];
}
h q[25];
erased[2] = measure q[25];
if (erased[2]) {
  x q[25];
  cz q[7], q[15];
  cz q[7], q[24];
}
h q[24];
erased[3] = measure q[24];
if (erased[3]) {
  x q[24];
  cz q[6], q[14];
  cz q[6], q[23];
}
h q[23];
erased[4] = measure q[23];
if (erased[4]) {
  x q[23];
  cz q[5], q[13];
  cz q[5], q[22];
}
h q[22];
erased[5] = measure q[22];
if (erased[5]) {
  x q[22];
  cz q[4], q[12];
  cz q[4], q[21];
}
h q[21];
erased[6] = measure q[21];
if (erased[6]) {
  x q[21];
  cz q[3], q[11];
  cz q[3], q[20];
}
h q[20];
erased[7] = measure q[20];
if (erased[7]) {
  x q[20];
  cz q[2], q[10];
  cz q[2], q[19];
}
h q[19];
erased[8] = measure q[19];
if (erased[8]) {
  x q[19];
  cz q[0], q[1];
}
