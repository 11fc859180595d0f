"""The simulated race laboratory."""
