"""T52: the matching of least cost among those with the most pairs, computed exactly.

`rustworkx` has 128-bit weights. If these may not suffice, `networkx` is used (unlimited integers, much slower).
"""

from collections.abc import Sequence

import rustworkx

Edge = tuple[int, int, int]
"""Two nodes and the cost of joining them."""
MOST_BITS = 120


def least_cost(nodes: int, edges: Sequence[Edge]) -> list[tuple[int, int]]:
    """The pairs of a matching with as many pairs as possible and, of these, the least cost."""
    top = max((cost for *_, cost in edges), default=0) + 1
    if (top * nodes).bit_length() > MOST_BITS:
        return by_networkx(edges)
    return by_rustworkx(nodes, edges)


def by_rustworkx(nodes: int, edges: Sequence[Edge]) -> list[tuple[int, int]]:
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from([(a, b, -cost) for a, b, cost in edges])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(a, b), max(a, b)) for a, b in found)


def by_networkx(edges: Sequence[Edge]) -> list[tuple[int, int]]:
    import networkx as nx  # noqa: PLC0415 - rarely needed, and a tenth of the time in which the server starts

    graph = nx.Graph()
    graph.add_weighted_edges_from((a, b, -cost) for a, b, cost in edges)
    found = nx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(a, b), max(a, b)) for a, b in found)
