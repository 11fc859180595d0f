"""What `photofinish doctor` examines."""
