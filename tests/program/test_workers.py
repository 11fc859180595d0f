"""The metrics ports of the workers of one server."""

import os
import socket
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from photofinish.config import METRICS_PORT, Settings
from photofinish.workers import metrics_ports
from tests.forked import run

DATA = Path("data")


def test_each_worker_has_a_port_of_its_own() -> None:
    assert metrics_ports(Settings(data=DATA, workers=3, metrics_port=7000)) == [7000, 7001, 7002]


def test_without_metrics_no_worker_has_a_port() -> None:
    assert metrics_ports(Settings(data=DATA, workers=2, metrics_port=0)) == [0, 0]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers at all of 127.0.0.0/8")
def test_the_default_ports_are_used_only_if_all_of_them_are_free() -> None:
    settings = Settings(data=DATA, workers=2, metrics_port=None, metrics_host="127.0.0.7")
    assert metrics_ports(settings) == [METRICS_PORT, METRICS_PORT + 1]

    with socket.create_server(("127.0.0.7", METRICS_PORT + 1)):
        assert metrics_ports(settings) == [0, 0]


def test_every_setting_has_a_help_text_and_an_environment_variable() -> None:
    """The command line reads `Settings`; nothing is written a second time."""
    shown = run("serve", "--help").stdout
    for field in fields(Settings):
        if field.name not in {"reuse_port", "lab"}:
            assert f"--{field.name.replace('_', '-')}" in shown

    env = {**os.environ, "PHOTOFINISH_TLS_KEY": "nowhere", "PHOTOFINISH_PORT": "65536"}
    refused = run("serve", env=env)

    assert refused.returncode != 0
    assert "PHOTOFINISH_PORT" in refused.stdout + refused.stderr
