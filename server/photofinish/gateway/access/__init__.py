"""Who is admitted, and how much each client may do: tokens, limits, proxies."""
