"""The bench: what an action costs on the real server, and what it costs on a bare websocket, in the same run."""
