"""Read-only pages on the players' port, and the operator's port."""
