// A history as uploads: in one piece per device, or in pieces of any order, with repetitions, corrections and later deletions.
// Both ways must lead to the same records.

import type { MetricId } from '../../src/domain/metrics/index.ts';
import { columnsOfSamples } from '../../src/domain/packed/sample-blocks/index.ts';
import type { Sample } from '../../src/domain/records/records.ts';
import { HOUR_MS } from '../../src/domain/time/durations.ts';
import type { Batch, Deletion } from '../../src/features/pipeline/ingest/index.ts';
import { type DeviceHistory, type History, type HistoryItem, identityOf } from './generate-history.ts';

/** `device` counts from 0. */
export type Piece = { readonly device: number; readonly batch: Batch };

export function inOnePiece({ devices }: History): Piece[] {
  return devices.map(({ items }, device) => ({ device, batch: makeBatch({ items: [...items], deletions: [] }) }));
}

/** The same seed gives the same pieces. */
export function inManyPieces({ devices }: History, seed: number): Piece[] {
  const random = createRandom(seed);
  const waiting = devices.map((device) => splitDevice(device, random).map(makeBatch));
  const pieces: Piece[] = [];
  for (;;) {
    const open = [...waiting.keys()].filter((device) => (waiting[device]?.length ?? 0) > 0);
    const device = open[random(open.length)];
    const batch = device === undefined ? undefined : waiting[device]?.shift();
    if (device === undefined || batch === undefined) return pieces;
    pieces.push({ device, batch });
  }
}

/** A piece, its arrival time, and when scoring runs after it; null: not before the next piece. */
export type TimedPiece = Piece & { readonly arrivesAt: Date; readonly scoredAt: Date | null };

/** In the given order, at any time from `fromMs` on: within an evening, or days apart. */
export function atAnyTime(pieces: readonly Piece[], fromMs: number, daysMs: number, seed: number): TimedPiece[] {
  const random = createRandom(seed);
  const moments = pieces.flatMap(() => [fromMs + random(daysMs), fromMs + random(daysMs)]).sort((a, b) => a - b);
  return pieces.map((piece, index) => ({
    ...piece,
    arrivesAt: new Date(moments[2 * index] ?? fromMs),
    scoredAt: random(3) === 0 ? null : new Date(moments[2 * index + 1] ?? fromMs),
  }));
}

/** A whole number from 0 up to but not including the limit. */
type Random = (limit: number) => number;
type Slot = { readonly items: HistoryItem[]; readonly deletions: Deletion[] };

const MAX_SLOTS = 5;
const WIDE_MS = 3 * HOUR_MS;

/** Earlier versions come before final records, and deleted records before their deletion, which comes before final records. */
function splitDevice({ items, noise }: DeviceHistory, random: Random): Slot[] {
  const slots: Slot[] = Array.from({ length: 1 + random(MAX_SLOTS) }, () => ({ items: [], deletions: [] }));
  const slotOfRecording = random(slots.length);
  const positionOf = new Map(
    items.map((item) => [identityOf(item), isRecorded(item) ? slotOfRecording : random(slots.length)]),
  );
  const isFinal = (item: HistoryItem) => positionOf.has(identityOf(item));
  if (slots.length > 1) {
    for (const item of noise.filter((one) => !isFinal(one) && one.kind !== 'daily'))
      takeBack(slots, item, items, positionOf, random);
    for (const item of noise.filter(isFinal)) {
      const position = Math.max(1, positionOf.get(identityOf(item)) ?? 0);
      positionOf.set(identityOf(item), position);
      slots[random(position)]?.items.push(item);
    }
  }
  for (const item of items) {
    const position = positionOf.get(identityOf(item)) ?? 0;
    slots[position]?.items.push(item);
    for (const again of slots.slice(position + 1)) if (random(4) === 0) again.items.push(item);
  }
  return slots;
}

function isRecorded(item: HistoryItem): boolean {
  return item.kind === 'sample' && item.recording !== undefined;
}

function takeBack(
  slots: readonly Slot[],
  item: HistoryItem,
  items: readonly HistoryItem[],
  positionOf: Map<string, number>,
  random: Random,
): void {
  const sent = random(slots.length - 1);
  const gone = sent + 1 + random(slots.length - 1 - sent);
  slots[sent]?.items.push(item);
  if (item.kind === 'daily') return;
  if (item.kind !== 'sample') {
    slots[gone]?.deletions.push({ kind: item.kind, key: item.session.key });
    return;
  }
  const { start } = item.sample;
  const reachMs = random(2) * WIDE_MS;
  const deletion = { kind: 'samples', metric: item.metric, start: start - reachMs, end: start + reachMs } as Deletion;
  slots[gone]?.deletions.push(deletion);
  for (const other of items)
    if (other.kind === 'sample' && other.metric === item.metric && Math.abs(other.sample.start - start) <= reachMs)
      positionOf.set(identityOf(other), Math.max(gone, positionOf.get(identityOf(other)) ?? 0));
}

/** Like the parser's output: each identity once, the last one sent. */
function makeBatch({ items, deletions }: Slot): Batch {
  const standing = [...new Map(items.map((item) => [identityOf(item), item])).values()];
  const samples = new Map<MetricId, Sample[]>();
  for (const item of standing)
    if (item.kind === 'sample') samples.getOrInsertComputed(item.metric, () => []).push(item.sample);
  return {
    samples: new Map([...samples].map(([metric, list]) => [metric, columnsOfSamples(list)])),
    daily: standing.flatMap((item) => (item.kind === 'daily' ? [item.value] : [])),
    sleep: standing.flatMap((item) => (item.kind === 'sleep' ? [item.session] : [])),
    workouts: standing.flatMap((item) => (item.kind === 'workout' ? [item.session] : [])),
    deletions,
  };
}

/** mulberry32. */
function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}
