"""The server's side of the sockets: frames in, messages out. Nothing is decided here."""
