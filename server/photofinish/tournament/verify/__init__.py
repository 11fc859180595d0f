"""T73: an export checked offline, from the file alone."""

from photofinish.tournament.verify.check import ExportFinding, ReplayFacts, verify_archive

__all__ = ["ExportFinding", "ReplayFacts", "verify_archive"]
