"""The commands of `photofinish`, one file per task."""
