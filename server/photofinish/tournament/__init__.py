"""Events: how they are described, run, paired, scored, disputed and checked (TOURNAMENTS.md, clauses T1 to T75)."""
