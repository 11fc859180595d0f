/** Judges a finished race again from its raw numbers, and says where the record disagrees. */

import { toss } from "./chance.js";
import { deadHeat, hardAt, isSettled, sortedBy, type Tie } from "./order.js";
import { isSealed, VERSIONS, type Decision, type Evidence, type Path, type RaceRecord } from "./record.js";
import { baseOf, judge, NO_PATH } from "./score.js";
import { isRecord1, judged1, readRecord1, ROOM_BYTES } from "./version1.js";

const BELOW_ALL = -1;

/**
 * Every place where the record contradicts its numbers. `coin`: check the tosses as well. `plain`: the
 * record as it stands in the file.
 */
export function recompute(record: RaceRecord, coin?: Uint8Array, plain: object = record): string[] {
  const older = isRecord1(plain) ? readRecord1(plain) : null;
  if (older === null && !VERSIONS.includes(record.version))
    return [`a record of version ${record.version}; this release verifies ${VERSIONS.join(" and ")}`];
  const wrong: string[] = [];
  if (!isSealed(older ?? record, plain)) wrong.push("the seal does not fit the record");
  // The arbiter writes nothing like this: without these bounds the code below would fail.
  const { eps, gain } = record.params;
  if (eps < 0 || gain <= 0 || record.coins.some(([seat]) => seat !== null && (seat < 0 || seat >= 255)))
    return [...wrong, "a number is outside its range"];
  for (const [seat, tossed] of coin === undefined ? [] : record.coins)
    if (toss(coin as Uint8Array, record.key, seat, older === null ? [] : ROOM_BYTES) !== tossed)
      wrong.push(`seat ${seat}: the toss does not follow from the seed`);
  const given = [...record.moves, ...record.void, ...record.held].sort((a, b) => a.number - b.number);
  if (given.some((it, place) => it.number !== place)) return [...wrong, "moves are missing or there twice"];
  wrong.push(...(older === null ? scores(record, given) : judged1(older, differ)));
  const [order, faults] = orderOf(record, given);
  const released = record.moves.map((it) => it.ticket);
  if (!isSame(order, released))
    wrong.push(`released [${released.join(", ")}], should be [${order.join(", ")}]`);
  return [...wrong, ...faults];
}

function* scores(record: RaceRecord, given: readonly Evidence[]): Generator<string> {
  const { params } = record;
  const lanes = new Map(record.starts.map((start) => [start.seat, { start, last: BELOW_ALL, least: 0 }]));
  for (const it of given) {
    const where = `ticket ${it.ticket}`;
    if (it.seat === null) {
      const due = Math.max(0, it.arrived - record.opened);
      yield* differ(where, it, { lo: due, hi: due, soft: 0, credit: 0, score: due, void: false });
      continue;
    }
    const lane = lanes.get(it.seat);
    if (lane === undefined) {
      yield `${where}: seat ${it.seat} never started`;
      continue;
    }
    const isBare =
      it.react_us === null && Object.entries(NO_PATH).every(([k, v]) => it.path[k as keyof Path] === v);
    if (it.away && !(it.shown === record.opened && it.arrived === it.reached && isBare))
      yield `${where}: compensated although its seat was away`;
    const isContested = it.kind === "contested";
    const found = judge(params, {
      kind: it.kind,
      elapsed: it.arrived - it.shown,
      path: it.path,
      reactUs: it.react_us,
      start: lane.start,
      least: isContested ? Math.max(lane.last, lane.least) : Math.max(lane.last, 0),
      hasDoubt: record.version > 2,
    });
    const isStray = isContested && it.nonce !== record.nonce;
    const why = isStray ? "wrong_nonce" : found.void ? "false_start" : "";
    const { lo, hi, jitter, behind, score } = found;
    yield* differ(where, it, {
      base: baseOf(it.path, params.cap),
      lo,
      hi,
      jitter,
      behind,
      soft: why ? 0 : found.soft,
      credit: why ? 0 : found.credit,
      score,
      void: why !== "",
      why,
    });
    if (why === "false_start") lane.least = params.floor + params.after_void;
    if (why) continue;
    lane.last = score;
  }
}

function orderOf(record: RaceRecord, given: readonly Evidence[]): [order: number[], faults: string[]] {
  const coins = new Map(record.coins);
  const ties = new Map<number, Tie>();
  const drawn = new Map<number | null, number>();
  const order: number[] = [];
  const wrong: string[] = [];
  if (
    !isSame(
      record.decisions.map((it) => it.ticket),
      record.moves.map((it) => it.ticket),
    )
  )
    wrong.push("the decisions are not about the moves that were released");
  for (const [place, decision] of record.decisions.entries()) {
    const held = firstOf(given, decision.taken).filter((it) => !it.void && !order.includes(it.ticket));
    if (held.length === 0 || held.some((it) => !coins.has(it.seat))) {
      wrong.push(`decision ${place}: no move was held, or a toss is missing`);
      break;
    }
    const by = sortedBy(held, closersFrom(record, place), drawn);
    const [tie, group] = deadHeat(held, by, coins, ties, record.params.eps, place);
    const first = held[group[0] as number] as Evidence;
    const score = by[group[0] as number] as number;
    const late = score < highestBefore(record, first);
    if (first.kind === "closer") drawn.set(first.seat, score);
    order.push(first.ticket);
    const where = `ticket ${first.ticket}`;
    wrong.push(...differ(where, decision, { ticket: first.ticket, score, late, heat: tie.number }));
    wrong.push(...reason(record, decision, given, held, by));
    const moved = record.moves[place];
    if (moved !== undefined) wrong.push(...differ(where, moved, { late }));
  }
  return [order, wrong];
}

/** Was it time to release this move, and for the reason that is given? */
function* reason(
  record: RaceRecord,
  decision: Decision,
  given: readonly Evidence[],
  held: readonly Evidence[],
  by: readonly number[],
): Generator<string> {
  const where = `ticket ${decision.ticket}`;
  for (const mark of decision.marks) {
    const own = firstOf(given, decision.taken).filter((it) => it.seat === mark.seat && !it.void);
    if (mark.last !== (own.at(-1)?.score ?? null))
      yield `${where}: the last move of seat ${mark.seat} was another`;
  }
  const lowest = Math.min(...by);
  const isOver = decision.marks.every((mark) => isSettled(mark, lowest, record.params));
  if (isOver !== (decision.by === "watermark"))
    yield `${where}: released by ${decision.by}, which the watermarks do not bear out`;
  const hasWaited = held.some(
    (it, place) => decision.at >= hardAt(record.params, record.opened, it, by[place] as number),
  );
  if (!isOver && !hasWaited) yield `${where}: released before its time`;
}

/** The highest score that was already released when this move came in. */
function highestBefore(record: RaceRecord, it: Evidence): number {
  const out = record.decisions.filter((each) => each.taken <= it.number).map((each) => each.score);
  return out.length === 0 ? BELOW_ALL : Math.max(...out);
}

/** The score before which no closer took effect when that decision was made. */
function closersFrom(record: RaceRecord, place: number): number {
  const thrown = record.throws.filter((it) => it.after <= place).at(-1);
  return (thrown === undefined ? 0 : thrown.at - record.opened) + record.not_before;
}

/** The first `count` of them. A negative count leaves out that many at the end, as in Python. */
function firstOf<T>(items: readonly T[], count: number): T[] {
  return items.slice(0, count);
}

function* differ<T extends object>(where: string, it: T, derived: Partial<T>): Generator<string> {
  for (const [name, value] of Object.entries(derived)) {
    const told = it[name as keyof T];
    if (told !== value) yield `${where}: ${name} is recorded as ${String(told)}, should be ${String(value)}`;
  }
}

function isSame(one: readonly number[], two: readonly number[]): boolean {
  return one.length === two.length && one.every((it, place) => it === two[place]);
}
