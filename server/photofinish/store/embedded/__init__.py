"""The embedded Redis: its program, its data folder, its process."""
