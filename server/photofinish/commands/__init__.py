"""The commands, one file for each thing one comes to do."""
