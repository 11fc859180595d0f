"""Where games are kept: Redis is the truth."""
