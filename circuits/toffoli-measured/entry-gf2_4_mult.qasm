OPENQASM 3.0;
include "stdgates.inc";
bit[9] erased;
qubit[21] q;
cx q[2], q[1];
cx q[3], q[1];
cx q[6], q[5];
cx q[7], q[5];
ccx q[1], q[5], q[12];
cx q[7], q[5];
cx q[6], q[5];
cx q[3], q[1];
cx q[2], q[1];
ccx q[3], q[7], q[13];
cx q[2], q[1];
cx q[6], q[5];
ccx q[1], q[5], q[14];
cx q[6], q[5];
cx q[2], q[1];
ccx q[0], q[4], q[15];
cx q[3], q[2];
cx q[7], q[6];
ccx q[2], q[6], q[16];
cx q[7], q[6];
cx q[3], q[2];
cx q[2], q[0];
cx q[3], q[0];
cx q[6], q[4];
cx q[7], q[4];
ccx q[0], q[4], q[17];
cx q[7], q[4];
cx q[6], q[4];
cx q[3], q[0];
cx q[2], q[0];
cx q[1], q[0];
cx q[2], q[0];
cx q[3], q[0];
cx q[5], q[4];
cx q[6], q[4];
cx q[7], q[4];
ccx q[0], q[4], q[18];
cx q[7], q[4];
cx q[6], q[4];
cx q[5], q[4];
cx q[3], q[0];
cx q[2], q[0];
cx q[1], q[0];
ccx q[2], q[6], q[19];
cx q[1], q[0];
cx q[3], q[0];
cx q[5], q[4];
cx q[7], q[4];
ccx q[0], q[4], q[20];
cx q[7], q[4];
cx q[5], q[4];
cx q[3], q[0];
cx q[1], q[0];
cx q[12], q[8];
cx q[12], q[9];
cx q[12], q[10];
cx q[12], q[11];
h q[12];
erased[0] = measure q[12];
if (erased[0]) {
  x q[12];
  cz q[1], q[5];
  cz q[1], q[6];
  cz q[1], q[7];
  cz q[2], q[5];
  cz q[2], q[6];
  cz q[2], q[7];
  cz q[3], q[5];
  cz q[3], q[6];
  cz q[3], q[7];
}
cx q[13], q[9];
h q[13];
erased[1] = measure q[13];
if (erased[1]) {
  x q[13];
  cz q[3], q[7];
}
cx q[14], q[8];
cx q[14], q[10];
cx q[14], q[11];
h q[14];
erased[2] = measure q[14];
if (erased[2]) {
  x q[14];
  cz q[1], q[5];
  cz q[1], q[6];
  cz q[2], q[5];
  cz q[2], q[6];
}
cx q[15], q[8];
cx q[15], q[9];
cx q[15], q[10];
h q[15];
erased[3] = measure q[15];
if (erased[3]) {
  x q[15];
  cz q[0], q[4];
}
cx q[16], q[8];
h q[16];
erased[4] = measure q[16];
if (erased[4]) {
  x q[16];
  cz q[2], q[6];
  cz q[2], q[7];
  cz q[3], q[6];
  cz q[3], q[7];
}
cx q[17], q[9];
cx q[17], q[10];
h q[17];
erased[5] = measure q[17];
if (erased[5]) {
  x q[17];
  cz q[0], q[4];
  cz q[0], q[6];
  cz q[0], q[7];
  cz q[2], q[4];
  cz q[2], q[6];
  cz q[2], q[7];
  cz q[3], q[4];
  cz q[3], q[6];
  cz q[3], q[7];
}
cx q[18], q[9];
cx q[18], q[11];
h q[18];
erased[6] = measure q[18];
if (erased[6]) {
  x q[18];
  cz q[0], q[4];
  cz q[0], q[5];
  cz q[0], q[6];
  cz q[0], q[7];
  cz q[1], q[4];
  cz q[1], q[5];
  cz q[1], q[6];
  cz q[1], q[7];
  cz q[2], q[4];
  cz q[2], q[5];
  cz q[2], q[6];
  cz q[2], q[7];
  cz q[3], q[4];
  cz q[3], q[5];
  cz q[3], q[6];
  cz q[3], q[7];
}
cx q[19], q[9];
cx q[19], q[10];
cx q[19], q[11];
h q[19];
erased[7] = measure q[19];
if (erased[7]) {
  x q[19];
  cz q[2], q[6];
}
cx q[20], q[10];
h q[20];
erased[8] = measure q[20];
if (erased[8]) {
  x q[20];
  cz q[0], q[4];
  cz q[0], q[5];
  cz q[0], q[7];
  cz q[1], q[4];
  cz q[1], q[5];
  cz q[1], q[7];
  cz q[3], q[4];
  cz q[3], q[5];
  cz q[3], q[7];
}
cx q[8], q[9];
cx q[8], q[10];
cx q[9], q[10];
cx q[8], q[11];
cx q[9], q[11];
cx q[10], q[11];
