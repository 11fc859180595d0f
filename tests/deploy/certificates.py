"""Self-signed certificates, made with the openssl program as an operator would make them."""

import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class CertificatePair:
    cert: Path
    key: Path

    def trusting(self) -> ssl.SSLContext:
        """A TLS context for clients that trusts only this certificate."""
        return ssl.create_default_context(cafile=str(self.cert))


def certificate(folder: Path, name: str) -> CertificatePair:
    """Create a certificate for 127.0.0.1. `name` tells it apart from others."""
    pair = CertificatePair(folder / f"{name}.crt", folder / f"{name}.key")
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", pair.key, "-out", pair.cert,
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    return pair
