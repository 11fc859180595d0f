"""From results to points, tie-breaks, standings and ratings."""
