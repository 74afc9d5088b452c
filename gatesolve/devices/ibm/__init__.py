"""IBM's service, reached through its SDK, which is imported where it is used."""
