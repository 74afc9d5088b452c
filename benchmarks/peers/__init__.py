"""The work of other libraries: one file for each library, and the checks and recipes that their users write."""
