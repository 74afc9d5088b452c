OPENQASM 3.0;
include "stdgates.inc";
input float[64] beta;
qubit[3] q;
cx q[0], q[1];
cx q[2], q[1];
rz(beta) q[1];
cx q[0], q[1];
cx q[2], q[1];
