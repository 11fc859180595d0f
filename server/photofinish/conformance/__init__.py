"""Tests a client: a real server behind a proxy (the line) that records every frame and causes faults on purpose."""
