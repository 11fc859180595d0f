"""House bots: their time slices, their seats at the table, the arena that measures them."""
