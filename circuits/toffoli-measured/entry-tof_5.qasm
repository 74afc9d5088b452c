OPENQASM 3.0;
include "stdgates.inc";
bit[4] erased;
qubit[13] q;
ccx q[0], q[1], q[9];
cx q[9], q[5];
ccx q[5], q[2], q[10];
cx q[9], q[5];
cx q[10], q[6];
ccx q[6], q[3], q[11];
cx q[10], q[6];
cx q[11], q[7];
ccx q[7], q[4], q[12];
cx q[11], q[7];
cx q[12], q[8];
h q[12];
erased[0] = measure q[12];
if (erased[0]) {
  x q[12];
  cz q[4], q[7];
  cz q[4], q[11];
}
h q[11];
erased[1] = measure q[11];
if (erased[1]) {
  x q[11];
  cz q[3], q[6];
  cz q[3], q[10];
}
h q[10];
erased[2] = measure q[10];
if (erased[2]) {
  x q[10];
  cz q[2], q[5];
  cz q[2], q[9];
}
h q[9];
erased[3] = measure q[9];
if (erased[3]) {
  x q[9];
  cz q[0], q[1];
}
