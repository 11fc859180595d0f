"""§12: an event as files that anybody can read and check."""
