// Finds the cycles of a graph: one shortest cycle per strongly connected component.

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Each cycle begins and ends with the same node. */
export function findCycles(graph: Graph): string[][] {
  const cycles: string[][] = [];
  const reported = new Set<string>();
  for (const node of [...graph.keys()].sort()) {
    if (reported.has(node)) continue;
    const cycle = findWayBack(graph, node);
    if (cycle === null) continue;
    cycles.push(cycle);
    for (const other of listKnot(graph, node)) reported.add(other);
  }
  return cycles;
}

function findWayBack(graph: Graph, start: string): string[] | null {
  const cameFrom = walk(graph, start);
  for (const [node] of cameFrom) {
    if (!graph.get(node)?.has(start)) continue;
    const way = [node];
    for (let at = cameFrom.get(node); at !== undefined; at = cameFrom.get(at)) way.unshift(at);
    return [...way, start];
  }
  return null;
}

/** The strongly connected component of `start`. */
function listKnot(graph: Graph, start: string): string[] {
  return [...walk(graph, start).keys()].filter((node) => walk(graph, node).has(start));
}

/** Breadth-first search: every reachable node, nearest first, with the node it was reached from. */
function walk(graph: Graph, start: string): Map<string, string | undefined> {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]]);
  for (const [node] of cameFrom) {
    for (const next of graph.get(node) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, node);
  }
  return cameFrom;
}
