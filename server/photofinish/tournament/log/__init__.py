"""The public, hash-chained log of an event (T17, T18), and the state that is a fold of it."""
