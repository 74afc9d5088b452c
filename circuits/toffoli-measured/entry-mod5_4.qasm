OPENQASM 3.0;
include "stdgates.inc";
bit[1] erased;
qubit[6] q;
cx q[2], q[0];
cx q[3], q[1];
x q[0];
x q[1];
ccx q[0], q[1], q[5];
x q[0];
x q[1];
cx q[3], q[1];
cx q[2], q[0];
cx q[5], q[4];
h q[5];
erased[0] = measure q[5];
if (erased[0]) {
  x q[5];
  z q[0];
  cz q[0], q[1];
  cz q[0], q[3];
  z q[1];
  cz q[1], q[2];
  z q[2];
  cz q[2], q[3];
  z q[3];
}
