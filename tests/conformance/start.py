"""The process of a client under test: `python -S -E start.py PLACE MODULE [WORD…]`, see `warm.py`. Imports little."""

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX) as way:
    way.connect(sys.argv[1])
    way.sendall(json.dumps({"words": sys.argv[2:], "env": dict(os.environ)}).encode() + b"\n")
    with way.makefile("r", encoding="utf-8") as said:
        sys.exit(int(said.readline() or 1))
