"""The connection of a client: address, codec, session, retries."""
