"""What leaves a room: views, broadcasts and messages, collected until the commit."""
