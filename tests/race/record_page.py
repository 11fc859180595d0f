"""The tables of `protocol/RACE_RECORD.md` and the JSON Schema of a race record, made from the types.

`python -m tests.race.record_page` writes both, `--check` compares.
"""

import ast
import inspect
import json
import re
import sys
from typing import Any

import msgspec

from photofinish.race import evidence, params
from photofinish_protocol.publish.schema import DIALECT, TOP

PAGE = TOP / "RACE_RECORD.md"
SCHEMA = TOP / "schema" / "race-record.schema.json"
PARTS = (
    evidence.RaceRecord, evidence.Evidence, evidence.Decision, evidence.SeatWait, evidence.Throw, evidence.SeatStart,
    params.Path, params.Params,
)  # fmt: skip
BEGIN, END = "<!-- fields: written by `make schema` -->", "<!-- end of fields -->"


def meanings(kind: type) -> dict[str, str]:
    """What the source says below each field. In `Params` a text below several fields belongs to all of them."""
    body = ast.parse(inspect.getsource(kind)).body[0]
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    waiting: list[str] = []
    for it in body.body:
        if isinstance(it, ast.AnnAssign) and isinstance(it.target, ast.Name):
            waiting.append(it.target.id)
        elif isinstance(it, ast.Expr) and isinstance(it.value, ast.Constant) and waiting:
            names = waiting if kind is params.Params else waiting[-1:]
            found |= dict.fromkeys(names, " ".join(str(it.value.value).split()))
            waiting = []
    return found


MORE = {
    "ticket": "the number of the move in this race",
    "kind": "`contested`: a move of the race; `closer`: ends it; `anytime`, `other`: beside it; `clock`: of the room",
    "path": "the way to the seat, as measured when the move came in",
    "react_us": "the client's claim; null: none",
    "base": "the round trip that was subtracted",
    "lo": "no claim on this line could have scored less",
    "hi": "`arrived − shown − base`: the longest possible reaction",
    "jitter": "what this line usually takes beyond `base`",
    "score": "the reaction time by which it was sorted",
    "void": "it does not count",
    "late": "a move with a higher score was already released when this one came in",
    "nonce": "the nonce that it carried",
    "node": "the node that holds the seat's socket",
    "retransmits": "the kernel's count on that socket, for information",
    "loop_lag": "how late the event loop was when it read the move, for information",
    "seat": "which seat",
    "shown": "when the seat got the trigger",
    "by": "`watermark`: no lower score was possible any more; `hard`: the longest wait was over",
    "key": "identifies the race in this game",
    "params": "the constants this table judges by",
    "seats": "the seats of the game",
    "opener": "the seat whose move opened the race; null: the room",
    "opened": "when it opened",
    "closed": "when it closed",
    "not_before": "a closer counts from this score on; after a throw, this long after it",
    "starts": "one for each seat",
    "decisions": "one for each released move, in order",
    "throws": "the moves that succeeded, in order",
    "at": "when",
    "marks": "the seats that were waited for",
    "held": "moves that were still held when the race closed",
    "version": "of this type: 3. Version 2 has the same fields; it credits a claim however much it asks for",
    "coins": "for each seat that moved (null: the room) its toss, as hex. In a dead heat the lower goes first",
    "number": "its position among all moves of the race, in the order in which the owner got them, from 0",
    "screen": "Start: the seat's normaliser at the opening. Params: the screen delay that is subtracted for every seat",
    "moves": "the released moves, in that order: the same as `evidence` of their steps in the log",
    "heat": "moves with the same number were in one dead heat, or alone in theirs: the number of its first decision",
    "seal": "see [the seal](#the-seal)",
    "why": "of a void move: `wrong_nonce` or `false_start`",
}


OVER = {name: MORE[name] for name in ("version", "coins", "number", "moves", "heat", "seal", "why")}
"""Described here instead of beside the field."""
OVER |= {
    "RaceRecord.nonce": "the nonce of the race: a contested move must carry it",
    "RaceRecord.void": "the moves that did not count",
    "RaceRecord.not_before": "a closer counts from this score on, or, after a throw, from `throw.at − opened +` this",
    "Evidence.seat": "null for a clock: a move of the room itself",
}


def tables() -> str:
    lines: list[str] = []
    for kind in PARTS:
        lines += [
            f"### {kind.__name__}",
            "",
            (kind.__doc__ or "").strip().split("\n\n")[0].replace("\n", " "),
            "",
        ]
        lines += ["| field | type | default | meaning |", "| --- | --- | --- | --- |"]
        said = meanings(kind)
        for it in msgspec.structs.fields(kind):
            default = "" if it.required else f"`{json.dumps(it.default)}`"
            own = OVER.get(f"{kind.__name__}.{it.name}") or OVER.get(it.name)
            meaning = own or said.get(it.name) or MORE.get(it.name, "")
            named = _named(str(getattr(kind, "__annotations__", {}).get(it.name, it.type)))
            lines.append(f"| `{it.name}` | {named} | {default} | {meaning} |")
        lines.append("")
    return "\n".join(lines)


def _named(annotation: str) -> str:
    text = re.sub(r"\w+\.", "", annotation.removeprefix("<class '").removesuffix("'>"))
    text = re.sub(r"Optional\[(\w+)\]", r"\1 or null", text).replace(
        "tuple[Seat or null, str]", "pair of Seat or null and str"
    )
    text = re.sub(r"Literal\[(.*?)\]", lambda it: it[1].replace("'", "`"), text)
    for old, new in {
        "Micros": "µs", "Seat": "seat", "None": "null", "tuple[": "list of ", ", ...]": "", "|": "or",
        "bool": "boolean", "str": "string", "int": "number", "Kind": "string", "By": "string",
    }.items():  # fmt: skip
        text = text.replace(old, new)
    return text


def schema() -> str:
    made: dict[str, Any] = msgspec.json.schema(evidence.RaceRecord)
    whole = {
        "$schema": DIALECT,
        "title": "The record of a race",
        "description": f"Version {evidence.VERSION}. RACE_RECORD.md tells what the fields mean.",
        **made,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def filled(text: str) -> str:
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{tables()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    now = {PAGE: filled(PAGE.read_text("utf-8")), SCHEMA: schema()}
    if "--check" in sys.argv:
        stale = [it.name for it, text in now.items() if not it.exists() or it.read_text("utf-8") != text]
        sys.exit(f"{', '.join(stale)}: run make schema" if stale else 0)
    for file, text in now.items():
        file.write_text(text, encoding="utf-8")
