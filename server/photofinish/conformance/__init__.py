"""Examines a client: a real server behind a line that writes down every frame and makes trouble on purpose."""
