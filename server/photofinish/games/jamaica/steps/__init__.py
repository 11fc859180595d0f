"""The parts of a turn."""
