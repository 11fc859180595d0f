"""The checks of `photofinish doctor`."""
