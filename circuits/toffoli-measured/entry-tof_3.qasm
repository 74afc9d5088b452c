OPENQASM 3.0;
include "stdgates.inc";
bit[2] erased;
qubit[7] q;
ccx q[0], q[1], q[5];
cx q[5], q[4];
ccx q[4], q[2], q[6];
cx q[5], q[4];
cx q[6], q[3];
h q[6];
erased[0] = measure q[6];
if (erased[0]) {
  x q[6];
  cz q[2], q[4];
  cz q[2], q[5];
}
h q[5];
erased[1] = measure q[5];
if (erased[1]) {
  x q[5];
  cz q[0], q[1];
}
