"""The race laboratory on real sockets and shaped links."""
