"""House players: their time slices, their seats at the table, the arena that measures them."""
