import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareRanks, compareText } from '../consolidate/ranking.ts';
import { DEVICE_CLASSES, type DeviceClass } from '../metrics/metric.ts';
import type { EpochMs } from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';
import { DAY_MS, HOUR_MS } from '../time/durations.ts';
import {
  type CanonicalSession,
  clusterSessions,
  consolidateSessions,
  divideChanged,
  divideSessions,
  type Session,
  type SessionCandidate,
  type SessionRule,
} from './sessions.ts';

const SLEEP: SessionRule = { ranking: ['ring', 'wrist', 'phone'], minCoverage: 0.6 };
const WORKOUT: SessionRule = { ranking: ['wrist', 'phone', 'ring'], minCoverage: null };

/** Hours of a night, as [22, 31] for 22:00 to 07:00. */
function session(id: string, deviceClass: DeviceClass, start: number, end: number, connectedAt = 0) {
  const [device, key = ''] = id.split('/');
  return {
    device: {
      id: device as DeviceId,
      provider: 'any',
      deviceClass,
      transport: 'cloud',
      connectedAt: connectedAt as EpochMs,
    },
    session: { key, start: (start * HOUR_MS) as EpochMs, end: (end * HOUR_MS) as EpochMs },
  } satisfies SessionCandidate<Session>;
}

const name = ({ device, session: { key } }: SessionCandidate<Session>) =>
  key === '' ? device.id : `${device.id}/${key}`;
const summarize = (rule: SessionRule, ...candidates: SessionCandidate<Session>[]) =>
  consolidateSessions(candidates, rule).map((canonical) =>
    canonical.duplicates.length === 0
      ? name(canonical)
      : `${name(canonical)} (${canonical.duplicates.map(name).join(', ')})`,
  );

describe('sessions', () => {
  it('follow the rank of devices: the best keeps its session, duplicates are linked to it', () => {
    const duplicates = [session('watch', 'wrist', 22.5, 30.5), session('phone', 'phone', 22, 31)];
    assert.deepEqual(summarize(SLEEP, ...duplicates, session('ring', 'ring', 23, 31)), ['ring (watch, phone)']);
    assert.deepEqual(summarize(WORKOUT, ...duplicates, session('ring', 'ring', 23, 31)), ['watch (phone, ring)']);
  });

  it('are canonical unless they overlap a canonical one by more than half of the shorter', () => {
    assert.deepEqual(summarize(WORKOUT, session('watch', 'wrist', 10, 12), session('phone', 'phone', 11, 13)), [
      'watch',
      'phone',
    ]);
    assert.deepEqual(summarize(WORKOUT, session('watch', 'wrist', 10, 12), session('phone', 'phone', 10.9, 12.9)), [
      'watch (phone)',
    ]);
    assert.deepEqual(summarize(WORKOUT, session('watch', 'wrist', 10, 20), session('phone', 'phone', 19, 20.5)), [
      'watch (phone)',
    ]);
  });

  it("a watch whose battery died at 3:00 does not replace the ring's night", () => {
    const ring = session('ring', 'wrist', 23, 31);
    assert.deepEqual(summarize(SLEEP, session('watch', 'ring', 23, 27), ring), ['ring (watch)']);
    assert.deepEqual(summarize(SLEEP, session('watch', 'ring', 23, 27.8), ring), ['watch (ring)'], 'exactly 60 %');
  });

  it('apply the 60 % rule to sleep only', () => {
    assert.deepEqual(summarize(WORKOUT, session('watch', 'wrist', 23, 27), session('ring', 'ring', 23, 31)), [
      'watch (ring)',
    ]);
  });

  it('rank a fragment right after the longest session that overlaps it, not after all', () => {
    const canonical = summarize(
      SLEEP,
      session('fragment', 'ring', 20, 24),
      session('long', 'wrist', 23, 31),
      session('other', 'phone', 20, 24.5),
    );
    assert.deepEqual(canonical, ['fragment (other)', 'long']);
  });

  it('never raise a fragment above a session that ranked before it', () => {
    const canonical = summarize(
      SLEEP,
      session('long', 'ring', 23, 31),
      session('second', 'wrist', 29, 34),
      session('fragment', 'phone', 30.5, 33),
    );
    assert.deepEqual(canonical, ['long', 'second (fragment)']);
  });

  it('break ties by the earlier start, then the device id', () => {
    assert.deepEqual(summarize(WORKOUT, session('a', 'wrist', 10.2, 11), session('b', 'wrist', 10, 11)), ['b (a)']);
    assert.deepEqual(summarize(WORKOUT, session('b', 'wrist', 10, 11), session('a', 'wrist', 10, 11.5)), ['a (b)']);
    assert.deepEqual(summarize(WORKOUT, session('b', 'wrist', 10, 11, 5), session('a', 'wrist', 10, 11.5)), ['b (a)']);
  });

  it('keep one of two records of the same session from one device, the longer of two that start together', () => {
    assert.deepEqual(summarize(WORKOUT, session('a/1', 'wrist', 10, 11), session('a/2', 'wrist', 10, 12)), [
      'a/2 (a/1)',
    ]);
  });

  it('link a duplicate of two canonical sessions to the one it overlaps more', () => {
    const canonical = summarize(
      WORKOUT,
      session('watch/1', 'wrist', 10, 11),
      session('watch/2', 'wrist', 11, 13),
      session('phone', 'phone', 10, 13),
    );
    assert.deepEqual(canonical, ['watch/1', 'watch/2 (phone)']);
  });

  it('decide more than 300 overlapping sessions per day: each is canonical once or a duplicate once', () => {
    const chain = Array.from({ length: 2_000 }, (_, i) => session(`d/${i}`, 'wrist', i / 4, i / 4 + 8));
    const canonical = consolidateSessions(chain, SLEEP);
    assert.deepEqual(canonical, consolidateSessions(chain.toReversed(), SLEEP));
    const all = canonical.flatMap((one) => [name(one), ...one.duplicates.map(name)]);
    assert.deepEqual(all.sort(), chain.map(name).sort());
    for (const { session, duplicates } of canonical)
      for (const copy of duplicates) assert.equal(utcDay(copy.session), utcDay(session));
    assert.deepEqual(new Set(divideSessions(chain).map((part) => part.length)), new Set([96, 80]));
  });

  it('decide up to 300 together, even across midnight', () => {
    const chain = Array.from({ length: 300 }, (_, i) => session(`d/${i}`, 'wrist', i / 60, i / 60 + 24));
    assert.equal(divideSessions(chain).length, 1);
    assert.equal(consolidateSessions(chain, SLEEP).length, 1);
  });
});

const utcDay = ({ start }: Session) => Math.floor(start / DAY_MS);

const anySession = fc
  .record({
    device: fc.nat(4),
    key: fc.nat(1_000),
    start: fc.nat(60),
    length: fc.integer({ min: 1, max: 24 }),
  })
  .map(({ device, key, start, length }) =>
    session(
      `device-${device}/${key}`,
      DEVICE_CLASSES[device % 3] as DeviceClass,
      start / 2,
      (start + length) / 2,
      device % 2,
    ),
  );
const anySet = fc.uniqueArray(anySession, { selector: name, maxLength: 12 });
const anyRule = fc.constantFrom(SLEEP, WORKOUT);

describe('chooseSessions', () => {
  it('do not depend on the order of arrival', () => {
    const anyOrder = anySet.chain((set) =>
      fc.tuple(fc.constant(set), fc.shuffledSubarray(set, { minLength: set.length, maxLength: set.length })),
    );
    fc.assert(
      fc.property(anyRule, anyOrder, (rule, [set, shuffled]) => {
        assert.deepEqual(consolidateSessions(shuffled, rule), consolidateSessions(set, rule));
      }),
      { numRuns: 10_000 },
    );
  });

  it('lose none: each is canonical once or a duplicate once, and canonical ones are not duplicates of each other', () => {
    fc.assert(
      fc.property(anyRule, anySet, (rule, set) => {
        const canonical = consolidateSessions(set, rule);
        const all = canonical.flatMap((one) => [name(one), ...one.duplicates.map(name)]);
        assert.deepEqual(all.sort(), set.map(name).sort());
        for (const a of canonical)
          for (const b of canonical) {
            if (a === b) continue;
            const overlap = Math.min(a.session.end, b.session.end) - Math.max(a.session.start, b.session.start);
            const shorter = Math.min(a.session.end - a.session.start, b.session.end - b.session.start);
            assert.ok(overlap <= shorter / 2);
          }
      }),
      { numRuns: 3_000 },
    );
  });

  it('depend only on their cluster', () => {
    fc.assert(
      fc.property(anyRule, anySet, (rule, set) => {
        const apart = clusterSessions(set).flatMap((cluster) => consolidateSessions(cluster, rule));
        assert.deepEqual(apart, consolidateSessions(set, rule));
      }),
      { numRuns: 3_000 },
    );
  });

  it('equal a literal implementation of the rules', () => {
    fc.assert(
      fc.property(anyRule, fc.uniqueArray(anySession, { selector: name, maxLength: 30 }), (rule, set) => {
        assert.deepEqual(
          describeSessions(consolidateSessions(set, rule)),
          describeSessions(consolidateLiterally(set, rule)),
        );
      }),
      { numRuns: 3_000 },
    );
  });
});

/** Two chains of overlapping sessions, often of about 300 each or together, and sessions that change near them. */
const anyChange = fc.record({
  chains: fc.tuple(fc.integer({ min: 100, max: 320 }), fc.integer({ min: 1, max: 320 })),
  /** Minutes between the starts of a chain, and between the chains. */
  stepMinutes: fc.constantFrom(5, 20, 60),
  gapMinutes: fc.integer({ min: -120, max: 600 }),
  changed: fc.array(
    fc.record({
      device: fc.nat(2),
      place: fc.double({ min: 0, max: 1, noNaN: true }),
      minutes: fc.integer({ min: 1, max: 1_440 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  replaced: fc.array(fc.nat(639), { maxLength: 3 }),
});

describe('divideChanged', () => {
  const decide = (groups: readonly SessionCandidate<Session>[][], rule: SessionRule) =>
    new Map(
      groups.flatMap((group) =>
        consolidateSessions(group, rule).flatMap((one) =>
          [one, ...one.duplicates].map((all) => [name(all), name(one)]),
        ),
      ),
    );
  /** Returns how many sessions were decided again and how many were not. */
  const assertSame = (
    rule: SessionRule,
    [before, after]: readonly [SessionCandidate<Session>[], SessionCandidate<Session>[]],
    groups: SessionCandidate<Session>[][],
  ) => {
    const anew = decide(groups, rule);
    const known = decide(divideSessions(before), rule);
    const updated = new Map(after.map((one) => [name(one), anew.get(name(one)) ?? known.get(name(one))]));
    const expected = decide(divideSessions(after), rule);
    assert.deepEqual([...updated].sort(byName), [...expected].sort(byName));
    return { decided: anew.size, kept: expected.size - anew.size };
  };

  it('contains every group in which a change of some sessions changes a canonical session', () => {
    const seen = { kept: 0, decided: 0 };
    fc.assert(
      fc.property(anyRule, anyChange, fc.boolean(), (rule, drawn, isRemoval) => {
        const { unchanged, changed } = makeChange(drawn);
        const all = [...unchanged, ...changed];
        const [before, after] = isRemoval ? [all, unchanged] : [unchanged, all];
        const intervals = clusterSessions(changed).map((cluster) => ({
          start: Math.min(...cluster.map(({ session }) => session.start)) as EpochMs,
          end: Math.max(...cluster.map(({ session }) => session.end)) as EpochMs,
        }));
        const { decided, kept } = assertSame(rule, [before, after], divideChanged(after, intervals));
        seen.decided += decided;
        seen.kept += kept;
      }),
      { numRuns: 150 },
    );
    assert.ok(seen.decided > 0 && seen.kept > 0, JSON.stringify(seen));
  });

  it('contains the same groups if the parts of a change are given one by one', () => {
    // Chains of sessions of 3 hours, one per hour, and in each gap a session that joins two of them.
    const anyChains = fc.array(fc.integer({ min: 50, max: 250 }), { minLength: 3, maxLength: 5 });
    fc.assert(
      fc.property(anyRule, anyChains, fc.integer({ min: 1, max: 2 }), fc.boolean(), (rule, chains, size, isRemoval) => {
        const starts = chains.map((_, i) => chains.slice(0, i).reduce((sum, count) => sum + count + 10, 0));
        const unchanged = chains.flatMap((count, chain) =>
          Array.from({ length: count }, (_, i) => {
            const start = (starts[chain] ?? 0) + i;
            return session(`device-${i % 3}/${chain} ${i}`, DEVICE_CLASSES[i % 3] as DeviceClass, start, start + 3);
          }),
        );
        const links = starts.slice(1).map((start) => session(`link/${start}`, 'wrist', start - 10, start + 2));
        const all = [...unchanged, ...links];
        const [before, after] = isRemoval ? [all, unchanged] : [unchanged, all];
        const changed = links.map(({ session: { start, end } }) => ({ start, end }));
        const parts = changed.flatMap((_, i) => (i % size === 0 ? [changed.slice(i, i + size)] : []));
        const groups = parts.flatMap((part) => divideChanged(after, part, changed));
        assert.ok(assertSame(rule, [before, after], groups).decided > 0);
      }),
      { numRuns: 100 },
    );
  });
});

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => compareText(a, b);

function makeChange({
  chains: [first, second],
  stepMinutes,
  gapMinutes,
  changed,
  replaced,
}: typeof anyChange extends fc.Arbitrary<infer Change> ? Change : never) {
  const at = (device: number, key: string, start: number, minutes: number) =>
    session(`device-${device}/${key}`, DEVICE_CLASSES[device] as DeviceClass, start / 60, (start + minutes) / 60);
  const lengthMinutes = 3 * stepMinutes;
  const secondAt = (first - 1) * stepMinutes + lengthMinutes + gapMinutes;
  const chain = (count: number, from: number) =>
    Array.from({ length: count }, (_, i) =>
      at(i % 3, `${from} ${i}`, from + i * stepMinutes, lengthMinutes + ((i * 7) % 5) * stepMinutes),
    );
  const chains = [...chain(first, 0), ...chain(second, secondAt)];
  const isReplaced = new Set(replaced.map((index) => chains[index]));
  const endMinutes = secondAt + second * stepMinutes;
  const others = changed.map(({ device, place, minutes }, i) => at(device, `new ${i}`, place * endMinutes, minutes));
  return {
    unchanged: chains.filter((one) => !isReplaced.has(one)),
    changed: [...others, ...chains.filter((one) => isReplaced.has(one))],
  };
}

function describeSessions(canonical: readonly CanonicalSession<Session>[]): string[] {
  return canonical.map((one) => `${name(one)}: ${one.duplicates.map(name)}`).sort();
}

/** The same rules without optimization. */
function consolidateLiterally(set: readonly SessionCandidate<Session>[], { ranking, minCoverage }: SessionRule) {
  const length = ({ session }: SessionCandidate<Session>) => session.end - session.start;
  const overlap = (a: SessionCandidate<Session>, b: SessionCandidate<Session>) =>
    Math.max(0, Math.min(a.session.end, b.session.end) - Math.max(a.session.start, b.session.start));
  const compare = compareRanks(ranking);
  const ranked = set.toSorted(
    (a, b) =>
      compare(a.device, b.device) ||
      a.session.start - b.session.start ||
      compareText(a.device.id, b.device.id) ||
      length(b) - length(a) ||
      compareText(a.session.key, b.session.key),
  );
  const byLength = ranked.toSorted((a, b) => length(b) - length(a));
  const wholeOf = (one: SessionCandidate<Session>) => {
    const longest = byLength.find((other) => overlap(one, other) > 0);
    if (minCoverage === null || longest === undefined || length(longest) <= length(one)) return null;
    return overlap(one, longest) < minCoverage * length(longest) ? longest : null;
  };
  const canonical: (SessionCandidate<Session> & { duplicates: SessionCandidate<Session>[] })[] = [];
  const done = new Set<SessionCandidate<Session>>();
  while (done.size < ranked.length) {
    const next = ranked.find((one) => {
      const whole = wholeOf(one);
      return !done.has(one) && (whole === null || done.has(whole));
    }) as SessionCandidate<Session>;
    done.add(next);
    const same = canonical.filter((other) => overlap(next, other) > Math.min(length(next), length(other)) / 2);
    const [original] = same.sort((a, b) => overlap(next, b) - overlap(next, a)); // stable: the first kept of equals
    if (original === undefined) canonical.push({ ...next, duplicates: [] });
    else original.duplicates.push(next);
  }
  return canonical;
}
