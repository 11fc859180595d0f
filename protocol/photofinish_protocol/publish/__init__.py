"""Writes the schema, the examples and the diagrams of the protocol."""
