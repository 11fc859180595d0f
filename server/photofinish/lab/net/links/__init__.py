"""Shaped links: tunnels between namespaces, or proxies."""
