"""Which Node.js is good enough for clients/node.py."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.clients.js.conftest import TOP


@pytest.fixture
def finder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("node", TOP / "clients" / "node.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("says", "is_good"),
    [("v20.0.0", True), ("v24.19.0", True), ("v18.20.1", False), ("v9.0.0", False), ("nonsense", False)],
)
def test_a_node_that_is_too_old_is_not_used(
    finder: ModuleType, tmp_path: Path, says: str, is_good: bool
) -> None:
    for name in ("node", "npm"):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho {says}\n", encoding="ascii")
        program.chmod(0o755)

    assert finder.is_good(str(tmp_path)) is is_good


def test_a_node_without_npm_or_no_node_at_all_is_not_used(finder: ModuleType, tmp_path: Path) -> None:
    assert not finder.is_good(str(tmp_path))
    (tmp_path / "node").write_text("#!/bin/sh\necho v22.0.0\n", encoding="ascii")
    (tmp_path / "node").chmod(0o755)

    assert not finder.is_good(str(tmp_path))
