"""What a result is worth: points, tie-breaks, standings, ratings."""
