OPENQASM 3.0;
include "stdgates.inc";
input float[64] beta;
qubit[3] q;
cx q[0], q[2];
cx q[1], q[2];
U(0, 0, beta) q[2];
cx q[0], q[2];
cx q[1], q[2];
