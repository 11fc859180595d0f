"""What all commands share."""

from typing import Annotated

from cyclopts import App, Parameter
from cyclopts.config import Env
from rich.console import Console

app = App(
    name="photofinish",
    help="A card-table server that settles speed races fairly.",
    version_flags=["--version"],
    config=Env("PHOTOFINISH_", command=False, show=False),
)
console = Console()

Url = Annotated[str, Parameter(help="Where the server is, such as ws://127.0.0.1:8765")]
Set = Annotated[tuple[str, ...], Parameter(negative=())]
DEFAULT_URL = "ws://127.0.0.1:8765"
