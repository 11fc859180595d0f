"""A real-time card-table server that settles speed races fairly."""
