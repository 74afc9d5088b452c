OPENQASM 3.0;
include "stdgates.inc";
bit[11] erased;
qubit[22] q;
ccx q[1], q[3], q[11];
cx q[11], q[4];
x q[5];
ccx q[4], q[5], q[12];
x q[5];
cx q[11], q[4];
cx q[6], q[5];
cx q[12], q[5];
ccx q[7], q[5], q[13];
cx q[12], q[5];
cx q[6], q[5];
cx q[13], q[9];
ccx q[10], q[9], q[14];
cx q[13], q[9];
cx q[14], q[8];
ccx q[0], q[8], q[15];
cx q[14], q[8];
cx q[14], q[8];
cx q[15], q[8];
x q[1];
ccx q[8], q[1], q[16];
x q[1];
cx q[15], q[8];
cx q[14], q[8];
cx q[14], q[8];
ccx q[2], q[8], q[17];
cx q[14], q[8];
cx q[14], q[8];
cx q[16], q[8];
cx q[17], q[8];
ccx q[3], q[8], q[18];
cx q[17], q[8];
cx q[16], q[8];
cx q[14], q[8];
cx q[14], q[8];
ccx q[4], q[8], q[19];
cx q[14], q[8];
cx q[14], q[8];
cx q[18], q[8];
cx q[19], q[8];
ccx q[5], q[8], q[20];
cx q[19], q[8];
cx q[18], q[8];
cx q[14], q[8];
cx q[14], q[8];
ccx q[6], q[8], q[21];
cx q[14], q[8];
cx q[13], q[9];
h q[13];
erased[0] = measure q[13];
if (erased[0]) {
  x q[13];
  cz q[5], q[7];
  cz q[6], q[7];
  cz q[7], q[12];
}
h q[12];
erased[1] = measure q[12];
if (erased[1]) {
  x q[12];
  z q[4];
  cz q[4], q[5];
  cz q[5], q[11];
  z q[11];
}
h q[11];
erased[2] = measure q[11];
if (erased[2]) {
  x q[11];
  cz q[1], q[3];
}
cx q[17], q[16];
h q[17];
erased[3] = measure q[17];
if (erased[3]) {
  x q[17];
  cz q[1], q[8];
  cz q[1], q[14];
  cz q[1], q[15];
  z q[8];
  z q[14];
  z q[15];
  z q[16];
}
cx q[19], q[18];
h q[19];
erased[4] = measure q[19];
if (erased[4]) {
  x q[19];
  cz q[3], q[8];
  cz q[3], q[14];
  cz q[3], q[16];
  z q[18];
}
cx q[20], q[7];
h q[20];
erased[5] = measure q[20];
if (erased[5]) {
  x q[20];
  cz q[5], q[8];
  cz q[5], q[14];
  cz q[5], q[18];
}
cx q[18], q[5];
cx q[18], q[7];
h q[18];
erased[6] = measure q[18];
if (erased[6]) {
  x q[18];
  cz q[3], q[8];
  cz q[3], q[14];
  cz q[3], q[16];
  cz q[4], q[8];
  cz q[4], q[14];
}
cx q[16], q[3];
h q[16];
erased[7] = measure q[16];
if (erased[7]) {
  x q[16];
  cz q[1], q[8];
  cz q[1], q[14];
  cz q[1], q[15];
  cz q[2], q[8];
  cz q[2], q[14];
  z q[8];
  z q[14];
  z q[15];
}
cx q[15], q[1];
h q[15];
erased[8] = measure q[15];
if (erased[8]) {
  x q[15];
  cz q[0], q[8];
  cz q[0], q[14];
}
cx q[21], q[7];
h q[21];
erased[9] = measure q[21];
if (erased[9]) {
  x q[21];
  cz q[6], q[8];
  cz q[6], q[14];
}
cx q[14], q[0];
cx q[14], q[1];
cx q[14], q[3];
cx q[14], q[5];
h q[14];
erased[10] = measure q[14];
if (erased[10]) {
  x q[14];
  cz q[9], q[10];
}
cx q[8], q[0];
cx q[8], q[1];
cx q[8], q[3];
cx q[8], q[5];
