"""Tests of races: who was first, and the record that proves it."""
