"""Figures, tables and the plot of a bench."""
