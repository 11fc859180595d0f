"""The protocol as an AsyncAPI 3 document, seen from the server: it receives requests and sends the rest."""

from typing import Any

from photofinish_protocol import messages
from photofinish_protocol.messages import ClientMessage, ServerMessage
from photofinish_protocol.version import JSON, MSGPACK, SUBPROTOCOLS, VERSION

CHANNEL = "#/channels/table"


def document(client_schemas: str, server_schemas: str) -> dict[str, Any]:
    """The document. Payloads refer to the JSON Schemas in these two files beside it."""
    requests = {_tag(kind): kind for kind in ClientMessage.__args__}
    says = {_tag(kind): kind for kind in ServerMessage.__args__}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Photofinish",
            "version": f"{VERSION}.0.0",
            "description": "A card-table server that settles speed races fairly. README.md explains what the "
            "messages mean; this document describes their form.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/msgpack",
        "servers": {
            "local": {
                "host": "127.0.0.1:8765",
                "protocol": "ws",
                "description": "`photofinish serve` on this machine.",
            }
        },
        "channels": {
            "table": {
                "address": "/",
                "title": "One websocket",
                "description": f"Subprotocol `{MSGPACK}` carries msgpack in binary frames, `{JSON}` the same "
                "messages as JSON in text frames.",
                "messages": {tag: {"$ref": f"#/components/messages/{tag}"} for tag in (*requests, *says)},
                "bindings": {"ws": {"method": "GET", "headers": _headers(), "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            **{f"receive_{tag}": _received(tag, kind) for tag, kind in requests.items()},
            **{f"send_{tag}": _sent(tag, kind) for tag, kind in says.items() if tag not in _REPLIES},
        },
        "components": {
            "messages": {
                **{tag: _message(tag, kind, client_schemas) for tag, kind in requests.items()},
                **{tag: _message(tag, kind, server_schemas) for tag, kind in says.items()},
            }
        },
    }


def in_one_file(split: dict[str, Any], schemas: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The document with the schemas of the files beside it as its own components: `client.Hello`, `server.View`."""
    names = {file: file.partition(".")[0] for file in schemas}

    def moved(value: Any, inside: str = "") -> Any:
        if isinstance(value, list):
            return [moved(it, inside) for it in value]
        if not isinstance(value, dict):
            return value
        return {key: target(it, inside) if key == "$ref" else moved(it, inside) for key, it in value.items()}

    def target(reference: str, inside: str) -> str:
        file, _, name = reference.partition("#/$defs/")
        return f"#/components/schemas/{names.get(file, inside)}.{name}" if name else reference

    parts = {
        f"{names[file]}.{name}": moved(part, names[file])
        for file, schema in schemas.items()
        for name, part in schema["$defs"].items()
    }
    whole: dict[str, Any] = moved(split)
    return {**whole, "components": {**whole["components"], "schemas": parts}}


_ANSWERS: dict[type[messages.Request], tuple[str, ...]] = {
    messages.Hello: ("welcome", "refused"),
    messages.Play: ("ack", "refused", "pending"),
}
_REPLIES = ("ack", "refused", "pending", "welcome")


def _received(tag: str, kind: type[messages.Request]) -> dict[str, Any]:
    answers = _ANSWERS.get(kind, ("ack", "refused"))
    return {
        "action": "receive",
        "channel": {"$ref": CHANNEL},
        "summary": _summary(kind),
        "messages": [{"$ref": f"{CHANNEL}/messages/{tag}"}],
        "reply": {
            "channel": {"$ref": CHANNEL},
            "messages": [{"$ref": f"{CHANNEL}/messages/{answer}"} for answer in answers],
        },
    }


def _sent(tag: str, kind: type[messages.Say]) -> dict[str, Any]:
    return {
        "action": "send",
        "channel": {"$ref": CHANNEL},
        "summary": _summary(kind),
        "messages": [{"$ref": f"{CHANNEL}/messages/{tag}"}],
    }


def _message(tag: str, kind: type[Any], schemas: str) -> dict[str, Any]:
    return {
        "name": tag,
        "title": kind.__name__,
        "summary": _summary(kind),
        "payload": {"$ref": f"{schemas}#/$defs/{kind.__name__}"},
    }


def _headers() -> dict[str, Any]:
    wanted = {"type": "string", "enum": list(SUBPROTOCOLS)}
    return {"type": "object", "properties": {"Sec-WebSocket-Protocol": wanted}}


def _summary(kind: type[Any]) -> str:
    own = (kind.__dict__.get("__doc__") or kind.__name__).strip()
    return " ".join(own.split("\n\n", 1)[0].split())


def _tag(kind: Any) -> str:
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return tag
