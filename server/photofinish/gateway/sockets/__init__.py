"""One websocket: frames, times, pings, the send queue, and the evidence from the kernel."""
