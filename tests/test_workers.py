"""Where the workers of one server show their numbers."""

import socket
import sys
from pathlib import Path

import pytest

from photofinish.config import METRICS_PORT, Settings
from photofinish.workers import metrics_ports

DATA = Path("data")


def test_each_worker_has_a_port_of_its_own() -> None:
    assert metrics_ports(Settings(data=DATA, workers=3, metrics_port=7000)) == [7000, 7001, 7002]


def test_no_metrics_means_none_for_anybody() -> None:
    assert metrics_ports(Settings(data=DATA, workers=2, metrics_port=0)) == [0, 0]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers at all of 127.0.0.0/8")
def test_the_usual_ports_are_taken_only_if_nobody_else_has_one_of_them() -> None:
    settings = Settings(data=DATA, workers=2, metrics_port=None, metrics_host="127.0.0.7")
    assert metrics_ports(settings) == [METRICS_PORT, METRICS_PORT + 1]

    with socket.create_server(("127.0.0.7", METRICS_PORT + 1)):
        assert metrics_ports(settings) == [0, 0]
