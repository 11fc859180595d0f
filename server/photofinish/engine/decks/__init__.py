"""Decks of cards and other components, as data."""
