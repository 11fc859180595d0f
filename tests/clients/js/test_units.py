"""The JavaScript SDK's own tests, in Node: codec against protocol/examples and transcripts, session, verifier."""

from pathlib import Path

import pytest

from tests.clients.js.conftest import JS, run_tests

UNITS = sorted(path.name.removesuffix(".test.ts") for path in (JS / "test" / "unit").glob("*.test.ts"))


@pytest.mark.timeout(900)  # the first one installs and compiles
@pytest.mark.parametrize("name", UNITS)
def test_the_unit_tests_of_the_javascript_sdk_pass_in_node(name: str, compiled: Path) -> None:
    run_tests(compiled / "unit" / f"{name}.test.js")
