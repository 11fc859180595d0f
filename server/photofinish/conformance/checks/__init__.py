"""The requirements of a client, and a check for each."""
