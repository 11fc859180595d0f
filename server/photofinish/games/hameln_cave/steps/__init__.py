"""The parts of a round: tricks, the ship, ghosts, the ending."""
