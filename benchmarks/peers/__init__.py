"""The work of other libraries, one file for each; most run in an interpreter of their own, without gatesolve."""
