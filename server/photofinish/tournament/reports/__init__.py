"""What pages, followers and referees are shown."""
