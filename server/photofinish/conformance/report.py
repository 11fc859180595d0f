"""The result of an examination: as rows, as JSON, as JUnit XML, as a badge."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from photofinish.conformance.checks.requirements import LEVELS, REQUIREMENTS
from photofinish.conformance.seen import CheckVerdict
from photofinish.conformance.situations import Situation

FULL = "full"
NONE = "none"


class RequirementResult(NamedTuple):
    """One requirement in one situation."""

    situation: Situation
    requirement: str
    verdict: CheckVerdict

    @property
    def state(self) -> str:
        if self.verdict.what:
            return "failed"
        return "passed" if self.verdict.is_seen else "not seen"


def level_of(results: Sequence[RequirementResult]) -> str:
    """The highest level for which all requirements, and those of all lower levels, were observed and passed."""
    reached = NONE
    for level in LEVELS:
        needed = {key for key, it in REQUIREMENTS.items() if it.level == level}
        own = [it for it in results if it.situation.level == level or it.requirement in needed]
        held = {it.requirement for it in own if it.state == "passed"}
        if any(it.state == "failed" for it in own) or not needed <= held:
            return reached
        reached = level
    return reached


def merged(results: Sequence[RequirementResult]) -> list[RequirementResult]:
    """One result per requirement and situation: the worst one; an observed result counts before "no occasion"."""
    best: dict[tuple[str, str], RequirementResult] = {}
    for it in results:
        key = (it.situation.key, it.requirement)
        if key not in best or _WEIGHT[it.state] > _WEIGHT[best[key].state]:
            best[key] = it
    return list(best.values())


_WEIGHT = {"not seen": 0, "passed": 1, "failed": 2}


def unseen(results: Sequence[RequirementResult]) -> set[str]:
    """The requirements that could not be observed in any situation."""
    return {it.requirement for it in results} - {it.requirement for it in results if it.state != "not seen"}


def why_not_higher(results: Sequence[RequirementResult]) -> str:
    """Why the client does not reach the next level, in a sentence; empty at the highest level."""
    reached = level_of(results)
    if reached == FULL:
        return ""
    level = LEVELS[LEVELS.index(reached) + 1 if reached != NONE else 0]
    needed = {key for key, it in REQUIREMENTS.items() if it.level == level}
    own = [it for it in results if it.situation.level == level or it.requirement in needed]
    failed = sorted({f"{it.requirement} in {it.situation.key}" for it in own if it.state == "failed"})
    if failed:
        return f"{level}: failed {', '.join(failed)}"
    absent = [it for it in needed if it in unseen(results)]
    if absent:
        return f"{level}: {', '.join(sorted(absent))} not seen: the cards gave no occasion. Run it again"
    return f"{level}: not examined"


def as_plain(results: Sequence[RequirementResult]) -> dict[str, Any]:
    rows = [
        {
            "situation": it.situation.key,
            "requirement": it.requirement,
            "level": REQUIREMENTS[it.requirement].level,
            "state": it.state,
            "expected": REQUIREMENTS[it.requirement].text,
            "came": it.verdict.what,
            "clause": REQUIREMENTS[it.requirement].clause,
        }
        for it in results
    ]
    return {"level": level_of(results), "why_not_higher": why_not_higher(results), "results": rows}


def as_junit(results: Sequence[RequirementResult]) -> bytes:
    failed = sum(it.state == "failed" for it in results)
    suite = ET.Element(
        "testsuite", name="photofinish conformance", tests=str(len(results)), failures=str(failed)
    )
    for it in results:
        case = ET.SubElement(suite, "testcase", classname=it.situation.key, name=it.requirement)
        if it.state == "failed":
            asked = REQUIREMENTS[it.requirement]
            failure = ET.SubElement(case, "failure", message=it.verdict.what)
            failure.text = f"expected: {asked.text} Section: {asked.clause}"
        elif it.state == "not seen":
            ET.SubElement(case, "skipped", message="the situation gave no occasion")
    written: bytes = ET.tostring(suite, encoding="utf-8", xml_declaration=True)
    return written


def as_badge(level: str) -> str:
    colour = {FULL: "#2e7d32", NONE: "#9e9e9e"}.get(level, "#1565c0")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="170" height="20" role="img">'
        f"<title>photofinish v1: {level}</title>"
        '<rect width="110" height="20" fill="#444"/>'
        f'<rect x="110" width="60" height="20" fill="{colour}"/>'
        '<g fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="55" y="14">photofinish v1</text><text x="140" y="14">{level}</text></g></svg>\n'
    )
