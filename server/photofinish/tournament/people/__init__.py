"""What players and officials may ask for, with keys, names and roles."""
