"""The files of `deploy/` match the program: its flags, ports, metrics and settings for Redis."""

import json
import re
import shlex
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import yaml

import photofinish.commands.serve  # noqa: F401 - adds `serve` to the commands
from photofinish.commands.shared.base import app as command
from photofinish.telemetry import Metrics
from tests.deploy.check import CHECKS, check
from tests.deploy.tools import TOP, find
from tests.doctor.test_examine import run as doctor
from tests.forked import run
from tests.store.servers import HOST, free_port, server

DEPLOY = TOP / "deploy"
MANIFESTS = sorted((DEPLOY / "k8s").glob("*.yaml"))
DASHBOARD = json.loads((DEPLOY / "grafana" / "photofinish.json").read_text(encoding="utf-8"))
ALERTS = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text(encoding="utf-8"))
CENSUS = {
    "photofinish_rooms",
    "photofinish_connections",
    "photofinish_sessions_in_rooms",
    "photofinish_draining",
    "photofinish_store_unsure",
    "photofinish_setbacks_total",
}
"""Metrics that exist only while a server runs. `test_metrics` checks them."""


def documents() -> list[dict[str, Any]]:
    files = [file for file in MANIFESTS if file.name != "kustomization.yaml"]
    return [it for file in files for it in yaml.safe_load_all(file.read_text(encoding="utf-8"))]


def manifest(kind: str, name: str = "photofinish") -> dict[str, Any]:
    (found,) = [it for it in documents() if it["kind"] == kind and it["metadata"]["name"] == name]
    return found


def compose() -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return parsed


def pod() -> dict[str, Any]:
    (container,) = manifest("Deployment")["spec"]["template"]["spec"]["containers"]
    return dict(container)


def dockers_words() -> list[str]:
    (line,) = re.findall(
        r"^CMD (\[\"serve.*\])$", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE
    )
    words: list[str] = json.loads(line)
    return words


def units_words() -> list[str]:
    unit = (DEPLOY / "photofinish.service").read_text(encoding="utf-8")
    (line,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    return [word for word in shlex.split(line)[1:] if not word.startswith("$")]


def understood(words: list[str]) -> dict[str, Any]:
    """Parse these words with the real command line, which exits on an unknown flag."""
    _, bound, _ = command.parse_args(words, exit_on_error=False, print_error=False)
    return {**asdict(bound.arguments["settings"]), **bound.arguments}


@pytest.mark.parametrize(
    "words",
    [
        dockers_words(),
        units_words(),
        pod()["args"],
        compose()["services"]["node1"]["command"],
        compose()["services"]["node2"]["command"],
    ],
    ids=["Dockerfile", "systemd", "Kubernetes", "compose 1", "compose 2"],
)
def test_every_command_line_in_deploy_is_valid_and_serves_metrics(words: list[str]) -> None:
    meant = understood(words)

    assert words[0] == "serve"
    assert meant["metrics_port"] == 9464
    assert meant["json_logs"] is True
    assert meant["host"] == "0.0.0.0"


def test_an_unknown_flag_would_be_found() -> None:
    with pytest.raises(Exception, match="--drain-secs"):
        understood([*pod()["args"], "--drain-secs=3"])


def test_flags_in_the_readme_and_the_unit_exist() -> None:
    known = run("serve", "--help").stdout
    flags = {
        flag
        for file in ("README.md", "photofinish.service", "nginx.conf")
        for line in (DEPLOY / file).read_text(encoding="utf-8").splitlines()
        if "photofinish serve" in line or "PHOTOFINISH_FLAGS" in line or "--trust-proxy" in line
        for flag in re.findall(r"--[a-z][a-z-]+", line)
    }

    assert flags
    assert {flag for flag in flags if flag not in known} == set()


def test_probes_scrapes_and_services_of_kubernetes_use_ports_that_the_server_listens_on() -> None:
    meant, ports = understood(pod()["args"]), {it["name"]: it["containerPort"] for it in pod()["ports"]}
    notes = manifest("Deployment")["spec"]["template"]["metadata"]["annotations"]

    assert ports == {"players": meant["port"], "metrics": meant["metrics_port"]}
    assert [it["targetPort"] for it in manifest("Service")["spec"]["ports"]] == ["players"]
    assert pod()["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "metrics"}
    assert pod()["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": "metrics"}
    assert notes["prometheus.io/port"] == str(meant["metrics_port"])


def test_kubernetes_waits_longer_than_a_node_drains() -> None:
    spec = manifest("Deployment")["spec"]["template"]["spec"]
    drain = understood(pod()["args"])["drain_seconds"]

    assert (
        drain > 2 * pod()["readinessProbe"]["periodSeconds"] * pod()["readinessProbe"]["failureThreshold"] - 1
    )
    assert spec["terminationGracePeriodSeconds"] >= drain + 20


def test_every_label_kubernetes_selects_by_is_on_a_pod() -> None:
    workloads = [it for it in documents() if it["kind"] in {"Deployment", "StatefulSet"}]
    names = {it["spec"]["template"]["metadata"]["labels"]["app.kubernetes.io/name"] for it in workloads}
    selected = re.findall(r"app\.kubernetes\.io/name: (\w+)", "".join(it.read_text() for it in MANIFESTS))

    assert names == {"photofinish", "redis"} == set(selected)


def test_kubernetes_and_compose_run_our_containers_without_root() -> None:
    spec = manifest("Deployment")["spec"]["template"]["spec"]
    uid = int(
        re.findall(r"^USER (\d+)", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)[0]
    )

    assert uid > 0
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["runAsUser"] == uid
    assert pod()["securityContext"]["readOnlyRootFilesystem"] is True
    assert all(compose()["services"][node]["read_only"] for node in ("node1", "node2"))


def test_kustomize_lists_every_manifest_and_uses_the_same_redis_settings() -> None:
    kustomization = yaml.safe_load((DEPLOY / "k8s" / "kustomization.yaml").read_text(encoding="utf-8"))

    assert set(kustomization["resources"]) == {it.name for it in MANIFESTS} - {"kustomization.yaml"}
    assert (DEPLOY / "k8s" / "redis.conf").read_text() == (DEPLOY / "redis.conf").read_text()


def test_the_files_compose_mounts_are_there_and_nginx_is_the_proxy_that_is_trusted() -> None:
    services = compose()["services"]
    mounted = [it.split(":")[0] for service in services.values() for it in service.get("volumes", [])]
    (subnet,) = [it["subnet"] for it in compose()["networks"]["front"]["ipam"]["config"]]

    assert all((DEPLOY / it).exists() for it in mounted if it.startswith("./") and it != "./tls")
    for node in ("node1", "node2"):
        assert list(understood(services[node]["command"])["trust_proxy"]) == [subnet]
        assert f"server {node}:8765" in (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert services["nginx"]["networks"] == ["front"]
    assert services["redis"]["networks"] == ["back"]


def queries() -> list[str]:
    panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    alerts = [rule["expr"] for group in ALERTS["groups"] for rule in group["rules"]]
    scaled = [it["pods"]["metric"]["name"] for it in manifest("HorizontalPodAutoscaler")["spec"]["metrics"]]
    return panels + alerts + scaled


def test_every_metric_in_dashboard_and_alerts_exists() -> None:
    given = {sample.name for family in Metrics().registry.collect() for sample in family.samples} | CENSUS
    asked = {name for query in queries() for name in re.findall(r"\b(?:photofinish|process)_\w+", query)}

    assert asked - given == set()


def test_the_dashboard_shows_every_promised_metric() -> None:
    shown = " ".join(target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"])

    for name in (
        "rooms", "connections", "race_verdict_seconds", "loop_lag_seconds", "commit_seconds", "refusals_total",
        "closes_total", "commits_total", "dead_heats_total", "false_starts_total", "sessions_in_rooms",
    ):  # fmt: skip
        assert f"photofinish_{name}" in shown
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_every_alert_says_what_to_do() -> None:
    for group in ALERTS["groups"]:
        for rule in group["rules"]:
            assert rule["labels"]["severity"] in {"page", "ticket"}
            assert rule["annotations"]["summary"]
            assert rule["annotations"]["action"]


def test_a_real_redis_accepts_our_settings_and_doctor_finds_no_fault(tmp_path: Path) -> None:
    port = free_port()
    own = tmp_path / "redis.conf"
    text = (DEPLOY / "redis.conf").read_text(encoding="utf-8")
    for ours, here in {"dir /data": "dir .", "6379": str(port), "bind * -::*": f"bind {HOST}"}.items():
        assert ours in text
        text = text.replace(ours, here)
    own.write_text(text, encoding="utf-8")
    with server(tmp_path / "redis", port, "--include", str(own)):
        code, found = doctor("--data", tmp_path, "--redis", f"redis://{HOST}:{port}")

    assert code == 0
    assert {it["state"] for name, it in found.items() if name.startswith("Redis") and "trip" not in name} == {
        "ok"
    }


@pytest.mark.parametrize("name", CHECKS)
def test_every_installed_checker_finds_no_fault(name: str) -> None:
    """`make deploy-check` names the missing ones and fetches them."""
    needs, _ = CHECKS[name]

    assert check(name) is (find(needs) is not None)


@pytest.mark.parametrize("name", ["Dockerfile", "README.md"])
def test_every_install_command_in_deploy_installs_the_server_extra(name: str) -> None:
    """`pip install .` installs the SDK alone."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    installed = re.findall(r"pip install (?:--\S+ )*(\S+)", text)

    assert installed
    assert set(installed) == {"'.[server]'"}


def test_the_image_gets_every_file_that_the_build_needs() -> None:
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {
        project["project"]["readme"],
        *project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"],
    }
    copied = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    admitted = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8")

    assert all(f"COPY {it} " in copied for it in needed)
    assert all(f"!{it}" in admitted for it in needed)
