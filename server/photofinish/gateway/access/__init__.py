"""Who is let in, and how much each may do: tokens, limits, proxies."""
