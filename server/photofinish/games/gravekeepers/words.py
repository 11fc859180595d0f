"""The names of ghosts and places, for people and for clients."""

from photofinish.games.gravekeepers.state import CELLS, Ghost


def facts(ghost: Ghost) -> dict[str, str]:
    """The card as plain data for the wire."""
    return {"colour": ghost.colour, "symbol": ghost.symbol}


def name(ghost: Ghost) -> str:
    return f"a {ghost.colour} {ghost.symbol}"


def where(cell: int) -> dict[str, int]:
    row, col = CELLS[cell]
    return {"row": row, "col": col}


def spot(cell: int) -> str:
    row, col = CELLS[cell]
    return f"row {row}, column {col}"
