"""One game on the table: the deal, moves, clocks, races and their reports."""
