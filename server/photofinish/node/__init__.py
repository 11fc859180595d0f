"""Which process owns a room: the actor that runs it, the directory that finds it, the relay to other nodes."""
