"""Where sockets end: frames in, messages out, nothing decided."""
