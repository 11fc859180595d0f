/** The board's spaces, pushed apart once so that no two are nearer than a finger. */
export interface Space {
  id: number;
  kind: string;
  cost: number;
  score: number;
  next: number[];
  prev: number[];
  x: number;
  y: number;
}
const LEAST = 46;
let known: { key: string; at: Map<number, [number, number]> } = { key: "", at: new Map() };

export function spread(board: readonly Space[]): Map<number, [number, number]> {
  const key = board.map((it) => `${it.id}:${it.x}:${it.y}`).join();
  if (known.key === key) return known.at;
  const at = board.map((it) => [it.x, it.y] as [number, number]);
  for (let round = 0; round < 60; round++) {
    let moved = false;
    for (let i = 0; i < at.length; i++)
      for (let j = i + 1; j < at.length; j++) {
        const a = at[i] as [number, number];
        const b = at[j] as [number, number];
        const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
        const far = Math.hypot(dx, dy) || 1;
        if (far >= LEAST) continue;
        const push = (LEAST - far) / 2 / far;
        a[0] -= dx * push;
        a[1] -= dy * push;
        b[0] += dx * push;
        b[1] += dy * push;
        moved = true;
      }
    if (!moved) break;
  }
  known = { key, at: new Map(board.map((it, n) => [it.id, at[n] as [number, number]])) };
  return known.at;
}
