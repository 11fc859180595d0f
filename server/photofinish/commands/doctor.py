"""Ask what is wrong with a machine."""

from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter, validators
from rich.markup import escape

from photofinish.commands.base import app, console
from photofinish.doctor.examine import examine


@app.command
def doctor(
    *,
    redis: Annotated[str | None, Parameter(env_var="REDIS_URL")] = None,
    redis_wait: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=16))] = 0,
    data: Path = Path("data"),
    json: bool = False,
) -> int:
    """Say what is wrong with this machine, and what to do about it. Changes nothing.

    Parameters
    ----------
    redis
        A Redis to look at as well.
    redis_wait
        As you would give it to serve.
    data
        Where the embedded Redis would keep the games.
    json
        One JSON list instead of a table.
    """
    findings = examine(data, redis, redis_wait)
    if json:
        print(msgspec.json.encode(findings).decode())
    else:
        colours = {"ok": "green", "warn": "yellow", "fail": "red"}
        for it in findings:
            line = f"[{colours[it.state]}]{it.state:4}[/]  [bold]{it.name}[/]: {escape(it.found)}"
            console.print(line, highlight=False, soft_wrap=True)
            if it.advice:
                console.print(f"      {escape(it.advice)}", highlight=False, soft_wrap=True)
    return 1 if any(it.state == "fail" for it in findings) else 0
