"""Who was first, and how we know."""
