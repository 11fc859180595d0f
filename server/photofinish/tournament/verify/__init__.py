"""T73: an export checked offline, from the file alone."""

from photofinish.tournament.verify.check import Finding, ReplayFacts, verify_archive

__all__ = ["Finding", "ReplayFacts", "verify_archive"]
