"""The race laboratory: the arbiter against thousands of simulated races."""
