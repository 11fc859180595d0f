"""A game as a log: writing it, replaying it, verifying it, drawing its races."""
