"""Python imports this at the start of every process of the tests.

In a server it starts the check of every frame (tests/frames.py).
"""

import sys

if "serve" in sys.orig_argv[1:]:
    from pathlib import Path

    sys.path.append(str(Path(__file__).parents[2]))
    from tests.frames import watch_if_asked

    watch_if_asked()
