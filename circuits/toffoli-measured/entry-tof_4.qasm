OPENQASM 3.0;
include "stdgates.inc";
bit[3] erased;
qubit[10] q;
ccx q[0], q[1], q[7];
cx q[7], q[4];
ccx q[4], q[2], q[8];
cx q[7], q[4];
cx q[8], q[5];
ccx q[5], q[3], q[9];
cx q[8], q[5];
cx q[9], q[6];
h q[9];
erased[0] = measure q[9];
if (erased[0]) {
  x q[9];
  cz q[3], q[5];
  cz q[3], q[8];
}
h q[8];
erased[1] = measure q[8];
if (erased[1]) {
  x q[8];
  cz q[2], q[4];
  cz q[2], q[7];
}
h q[7];
erased[2] = measure q[7];
if (erased[2]) {
  x q[7];
  cz q[0], q[1];
}
