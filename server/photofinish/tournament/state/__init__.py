"""The state of an event, as a fold of its log."""
