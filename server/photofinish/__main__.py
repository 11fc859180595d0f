"""`python -m photofinish` is the command `photofinish`."""

from photofinish.cli import main

main()
