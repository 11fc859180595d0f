"""What happens next in an event: start, pairing of a round, timed steps, closing, randomness. Pure."""
