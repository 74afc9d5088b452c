OPENQASM 3.0;
include "stdgates.inc";
bit[7] erased;
qubit[18] q;
ccx q[1], q[3], q[11];
x q[5];
ccx q[11], q[5], q[12];
x q[5];
cx q[12], q[5];
ccx q[7], q[5], q[13];
cx q[12], q[5];
ccx q[10], q[13], q[14];
ccx q[0], q[14], q[15];
cx q[15], q[14];
x q[1];
ccx q[14], q[1], q[16];
x q[1];
cx q[15], q[14];
cx q[16], q[14];
ccx q[3], q[14], q[17];
cx q[16], q[14];
h q[12];
erased[0] = measure q[12];
if (erased[0]) {
  x q[12];
  cz q[5], q[11];
  z q[11];
}
h q[11];
erased[1] = measure q[11];
if (erased[1]) {
  x q[11];
  cz q[1], q[3];
}
cx q[17], q[5];
h q[17];
erased[2] = measure q[17];
if (erased[2]) {
  x q[17];
  cz q[3], q[14];
  cz q[3], q[16];
}
cx q[16], q[3];
h q[16];
erased[3] = measure q[16];
if (erased[3]) {
  x q[16];
  cz q[1], q[14];
  cz q[1], q[15];
  z q[14];
  z q[15];
}
cx q[15], q[1];
h q[15];
erased[4] = measure q[15];
if (erased[4]) {
  x q[15];
  cz q[0], q[14];
}
cx q[14], q[0];
cx q[14], q[1];
cx q[14], q[3];
cx q[14], q[5];
cx q[14], q[7];
h q[14];
erased[5] = measure q[14];
if (erased[5]) {
  x q[14];
  cz q[10], q[13];
}
cx q[13], q[9];
cx q[9], q[13];
