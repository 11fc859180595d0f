"""Who is in a room: chairs, joins and leaves, tokens, names."""
