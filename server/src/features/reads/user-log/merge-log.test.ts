import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LOG_KINDS, LOG_START, type LogEntry, type LogKind, type LogPosition, mergeLog } from './merge-log.ts';

type Stored = Readonly<Record<LogKind, readonly number[]>>;

const listOf = (kind: LogKind, times: readonly number[]): LogEntry<number>[] =>
  times
    .map((time, index) => ({ kind, at: new Date(time), position: String(index), item: time }))
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .map((entry, index) => ({ ...entry, position: String(index) }));

/** As the stores read: after the position, at most limit + 1. */
function readPage(stored: Stored, start: LogPosition, limit: number) {
  const lists = LOG_KINDS.map((kind) => {
    const from = start[kind] === null ? 0 : Number(start[kind]) + 1;
    return listOf(kind, stored[kind]).slice(from, from + limit + 1);
  });
  return mergeLog(lists, start, limit);
}

describe('mergeLog', () => {
  it('orders the entries of all lists by time, newest first', () => {
    const stored = { ...{ events: [1, 5], uploads: [3], syncs: [], deliveries: [4], changes: [2], looks: [] } };
    const { entries, next } = readPage(stored, LOG_START, 10);
    assert.deepEqual(
      entries.map(({ item }) => item),
      [5, 4, 3, 2, 1],
    );
    assert.equal(next, null);
  });

  it('returns every entry once over all pages', () => {
    const times = fc.array(fc.nat(50), { maxLength: 12 });
    const lists = fc.record({
      events: times,
      uploads: times,
      syncs: times,
      deliveries: times,
      changes: times,
      looks: times,
    });
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 7 }), (stored, limit) => {
        const seen: number[] = [];
        let position: LogPosition | null = LOG_START;
        while (position !== null) {
          const page: ReturnType<typeof readPage> = readPage(stored, position, limit);
          seen.push(...page.entries.map(({ item }) => item));
          position = page.next;
        }
        const all = LOG_KINDS.flatMap((kind) => stored[kind]).sort((a, b) => b - a);
        assert.deepEqual(seen, all);
      }),
    );
  });
});
