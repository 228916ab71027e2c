// POST /v1/sdk/uploads with faulty input: it is listed in `rejected` or rejected with 400 or 413, and valid items are stored.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import type { Answer } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-10T12:00:00Z')) });
after(() => service.stop());
const api = service.api();

const NOON = Date.parse('2026-03-09T12:00:00Z');
const SOURCE = { provider: 'apple_health', id: 'watch-1', device_class: 'wrist' };
const at = (ms: number) => new Date(ms).toISOString();
const times = <Item>(count: number, make: (index: number) => Item) => Array.from({ length: count }, (_, i) => make(i));

const GOOD = { metric: 'heart_rate', start: at(NOON), value: 61 };
const beat = (fields: object) => ({ ...GOOD, start: at(NOON + HOUR_MS), ...fields });
const nap = (fields: object) => ({ start: at(NOON), end: at(NOON + HOUR_MS), ...fields });
const run = (fields: object) => ({ ...nap(fields), sport_type: 'running', ...fields });

async function newPhone() {
  const user = await createUser(api, { timezone: 'Europe/Berlin' });
  const phone = await startPhone(service, user.id);
  const sendText = (text: string | Buffer): Promise<Answer> =>
    phone.api.call('POST', '/v1/sdk/uploads', {
      raw: gzipSync(text, { level: 1 }),
      headers: { 'content-encoding': 'gzip' },
    });
  return {
    sendText,
    /** The first fault is in the parts; the valid sample comes with them. */
    send: (parts: object) => sendText(JSON.stringify({ upload_id: randomUUID(), source: SOURCE, ...parts })),
    async readDay(metric = 'heart_rate') {
      const { body } = await api.get(
        `/v1/users/${user.id}/daily?types=${metric}&from_date=2026-03-09&to_date=2026-03-09`,
      );
      return body.series[metric][0];
    },
  };
}
const phone = await newPhone();

/** JSON that JSON.stringify would not write. */
const raw = (sample: string) => {
  const good = JSON.stringify(GOOD);
  return `{"upload_id":"${randomUUID()}","source":${JSON.stringify(SOURCE)},"samples":[${good},${sample}]}`;
};

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('an invalid item is listed, and the others are stored', () => {
  const bad: [what: string, parts: object, path: string, code: string][] = [
    ['an unknown metric', { samples: [beat({ metric: 'heart_beat' })] }, 'samples[0].metric', 'unknown_metric'],
    ['a wrong unit', { samples: [beat({ unit: 'mmHg' })] }, 'samples[0].unit', 'invalid_unit'],
    ['an impossible value', { samples: [beat({ value: 5_000 })] }, 'samples[0].value', 'out_of_range'],
    ['a number as a string', { samples: [beat({ value: '60' })] }, 'samples[0].value', 'invalid_type'],
    ['NaN, as JSON writes it', { samples: [beat({ value: Number.NaN })] }, 'samples[0].value', 'missing_field'],
    ['an end before the start', { samples: [beat({ end: at(NOON) })] }, 'samples[0].end', 'end_before_start'],
    ['the future', { samples: [beat({ start: at(NOON + 3 * DAY_MS) })] }, 'samples[0].start', 'in_future'],
    ['before 1900', { samples: [beat({ start: '1899-12-31T23:59:59Z' })] }, 'samples[0].start', 'out_of_range'],
    [
      'a sample of two months',
      { samples: [beat({ start: at(NOON - 60 * DAY_MS), end: at(NOON) })] },
      'samples[0].end',
      'too_long',
    ],
    [
      '10 MB instead of a word',
      { samples: [beat({ unit: 'x'.repeat(10_000_000) })] },
      'samples[0].unit',
      'invalid_unit',
    ],
    [
      '10 MB as a metric',
      { samples: [beat({ metric: 'x'.repeat(10_000_000) })] },
      'samples[0].metric',
      'unknown_metric',
    ],
    [
      '10 MB as a time',
      { samples: [beat({ start: '2'.repeat(10_000_000) })] },
      'samples[0].start',
      'invalid_timestamp',
    ],
    [
      'an unknown field',
      { samples: [beat({ ['y'.repeat(1_000)]: 1 })] },
      `samples[0].${'y'.repeat(60)}…`,
      'unknown_field',
    ],
    ['not an object', { samples: [[GOOD]] }, 'samples[0]', 'invalid_type'],
    [
      'a sleep of 40 hours',
      { sleep: [nap({ start: at(NOON - 40 * HOUR_MS), end: at(NOON) })] },
      'sleep[0].end',
      'too_long',
    ],
    ['a sleep that ends as it begins', { sleep: [nap({ end: at(NOON) })] }, 'sleep[0].end', 'end_before_start'],
    [
      'more minutes asleep than in bed',
      { sleep: [nap({ asleep_minutes: 30, in_bed_minutes: 20 })] },
      'sleep[0].in_bed_minutes',
      'contradictory_totals',
    ],
    [
      'a stage outside of its sleep',
      { sleep: [nap({ stages: [{ stage: 'deep', start: at(NOON - HOUR_MS), end: at(NOON) }] })] },
      'sleep[0].stages[0]',
      'stage_outside_session',
    ],
    [
      'a workout with samples outside it',
      { workouts: [run({ heart_rate: { samples: [{ timestamp: at(NOON - HOUR_MS), bpm: 90 }] } })] },
      'workouts[0].heart_rate.samples[0].timestamp',
      'sample_outside_workout',
    ],
    ['NUL in an id', { sleep: [nap({ id: 'a\0b' })] }, 'sleep[0].id', 'invalid_text'],
    ['a lone surrogate in a name', { workouts: [run({ name: '\ud83c' })] }, 'workouts[0].name', 'invalid_text'],
    ['NUL in a deletion', { deleted: [{ kind: 'sleep', id: '\0' }] }, 'deleted[0].id', 'invalid_text'],
    [
      'an invalid date',
      { daily: [{ date: '2026-02-30', metric: 'steps', value: 1 }] },
      'daily[0].date',
      'invalid_date',
    ],
  ];
  for (const [what, { samples = [], ...parts }, path, code] of bad as [
    string,
    { samples?: object[] },
    string,
    string,
  ][])
    it(what, async () => {
      const answer = await phone.send({ samples: [...samples, GOOD], ...parts });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(
        answer.body.rejected.map((reject: { path: string; error: string }) => [reject.path, reject.error]),
        [[path, code]],
      );
      assert.equal(answer.body.rejected_count, 1);
      assert.equal(answer.body.accepted + answer.body.duplicates, 1);
      assert.ok(answer.text.length < 1_000, 'the response does not echo the input');
    });

  it('1e999, a number out of the range of a double', async () => {
    const answer = await phone.sendText(raw('{"metric":"heart_rate","start":"2026-03-09T13:00:00Z","value":1e999}'));
    assert.deepEqual([answer.status, answer.body.rejected[0]?.error], [200, 'out_of_range']);
  });

  it('a repeated key: the last one wins', async () => {
    const { sendText, readDay } = await newPhone();
    const answer = await sendText(
      raw('{"metric":"heart_rate","value":300,"start":"2026-03-09T13:00:00Z","value":71,"value":81}'),
    );
    assert.deepEqual([answer.status, answer.body.accepted], [200, 2]);
    assert.equal(await readDay(), 71);
  });

  it('nested a thousand levels deep', async () => {
    const answer = await phone.sendText(raw(nested(1_000)));
    assert.deepEqual([answer.status, answer.body.rejected[0]?.error], [200, 'invalid_type']);
  });
});

describe('an invalid body is rejected as a whole', () => {
  it('400 for a body that is not JSON: NaN, a lone quote, half of it, invalid UTF-8', async () => {
    for (const text of [raw('{"value":NaN}'), raw('"'), raw('{}').slice(0, -20), '', 'null', '"x"', '7'])
      assert.equal((await phone.sendText(text)).status, 400, text.slice(-40));
    assert.equal((await phone.sendText(Buffer.from([0x7b, 0xff, 0x7d]))).status, 400);
  });

  it('400 for a large body with too many nesting levels', async () => {
    const { status, body } = await phone.sendText(raw(nested(250_000)));
    assert.deepEqual([status, body.error], [400, 'invalid_body']);
    assert.match(body.details.issues[0].message, /nested/);
  });

  it('400 for NUL and a lone surrogate in stored fields of the source', async () => {
    for (const field of ['id', 'name', 'model', 'os_version'])
      for (const text of ['a\0', '\ud83c', 'x'.repeat(10_000)]) {
        const answer = await phone.send({ source: { ...SOURCE, [field]: text }, samples: [GOOD] });
        assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_body'], field);
      }
  });

  it('400 for any number of unknown fields, with some of their names', async () => {
    const answer = await phone.send(Object.fromEntries(times(100_000, (index) => [`field${index}`, index])));
    assert.equal(answer.status, 400);
    assert.ok(answer.body.details.issues.length <= 50);
    const some = await phone.send(Object.fromEntries(times(150, (index) => [`field${index}`, index])));
    assert.equal(some.status, 400);
    assert.ok(some.body.details.issues.some(({ path }: { path: string }) => path === 'field7'));
  });

  it('413 for 2 million samples, long or short, and for more than 20 MB', async () => {
    const short = `{"upload_id":"${randomUUID()}","source":{},"samples":[${'{},'.repeat(1_999_999)}{}]}`;
    const item = JSON.stringify(GOOD);
    const long = `{"upload_id":"${randomUUID()}","source":{},"samples":[${`${item},`.repeat(1_999_999)}${item}]}`;
    for (const text of [short, long, raw(' '.repeat(21 * 1_048_576))]) {
      const answer = await phone.sendText(text);
      assert.deepEqual([answer.status, answer.body.error], [413, 'payload_too_large']);
    }
  });
});

describe('above the limits of an upload, what fits is stored and the rest is listed', () => {
  const counted = async (parts: object) => {
    const fresh = await newPhone();
    const { status, body, text } = await fresh.send(parts);
    assert.equal(status, 200, text);
    const codes = new Set(body.rejected.map((reject: { error: string }) => reject.error));
    const { accepted, duplicates, deleted, rejected_count } = body;
    return { fresh, body, codes: [...codes], counts: { accepted, duplicates, deleted, rejected_count } };
  };

  it('50,000 overlapping sleeps', async () => {
    const sleep = times(50_000, (index) => ({
      id: `s${index}`,
      start: at(NOON - 8 * HOUR_MS - index * 10 * MINUTE_MS), // 144 of them begin on a day
      end: at(NOON - index * 10 * MINUTE_MS),
    }));
    const { body, codes, counts, fresh } = await counted({ sleep, samples: [GOOD] });
    assert.deepEqual(counts, { accepted: 2_001, duplicates: 0, deleted: 0, rejected_count: 48_000 });
    assert.deepEqual([codes, body.rejected.length, body.rejected[0].path], [['over_limit'], 1_000, 'sleep[2000]']);
    assert.equal(await fresh.readDay(), 61);
  });

  it('5,000 workouts', async () => {
    const workouts = times(5_000, (index) =>
      run({ id: `w${index}`, start: at(NOON - index * HOUR_MS - MINUTE_MS), end: at(NOON - index * HOUR_MS) }),
    );
    const { codes, counts } = await counted({ workouts });
    assert.deepEqual(counts, { accepted: 2_000, duplicates: 0, deleted: 0, rejected_count: 3_000 });
    assert.deepEqual(codes, ['over_limit']);
  });

  it('accepts 100,000 deletions and lists the rest; deletions of sessions have a lower limit', async () => {
    const interval = (index: number) => ({
      kind: 'samples',
      metric: index % 2 === 0 ? 'heart_rate' : 'steps',
      start: at(NOON - index * HOUR_MS),
      end: at(NOON - index * HOUR_MS),
    });
    const all = await counted({ deleted: times(100_000, interval), samples: [GOOD] });
    assert.deepEqual(all.counts, { accepted: 1, duplicates: 0, deleted: 0, rejected_count: 0 });
    const again = await all.fresh.send({ deleted: times(100_001, interval) });
    assert.deepEqual([again.body.deleted, again.body.rejected_count], [1, 1]);
    assert.equal(await all.fresh.readDay(), null);
    const sessions = await counted({ deleted: times(10_000, (index) => ({ kind: 'sleep', id: `s${index}` })) });
    assert.deepEqual([sessions.codes, sessions.counts.rejected_count], [['over_limit'], 8_000]);
  });

  it('the same start 100,000 times is one sample, the last of them', async () => {
    const samples = times(100_000, (index) => ({ ...GOOD, value: 40 + (index % 100) }));
    const { counts, fresh } = await counted({ samples });
    assert.deepEqual(
      counts,
      { accepted: 100_000, duplicates: 0, deleted: 0, rejected_count: 0 },
      'each replaced the one before',
    );
    assert.equal(await fresh.readDay(), 139);
  });

  it('samples of 1900 and of every year up to today', async () => {
    const { counts, fresh } = await counted({
      samples: [GOOD, ...times(127, (index) => ({ ...GOOD, start: at(Date.UTC(1900 + index, 0, 1)) }))],
    });
    assert.deepEqual(counts, { accepted: 128, duplicates: 0, deleted: 0, rejected_count: 0 });
    assert.equal(await fresh.readDay(), 61);
  });

  it('samples of every day since 1900: 5,000 of them', async () => {
    const { counts, codes } = await counted({
      samples: times(46_000, (index) => ({ ...GOOD, start: at(NOON - index * DAY_MS) })),
    });
    assert.deepEqual([counts.accepted, counts.rejected_count, codes], [5_000, 41_000, ['over_limit']]);
  });

  it('samples that last a month each, one every minute', async () => {
    const { counts, codes } = await counted({
      samples: times(20_000, (index) => ({
        metric: 'steps',
        start: at(NOON - 31 * DAY_MS - index * MINUTE_MS),
        end: at(NOON - index * MINUTE_MS),
        value: 1,
      })),
    });
    assert.deepEqual([counts.accepted, counts.rejected_count, codes], [967, 19_033, ['over_limit']]);
  });

  it('100,000 values of days: 20,000 of them', async () => {
    const daily = times(100_000, (index) => ({
      date: at(NOON - Math.floor(index / 4) * DAY_MS).slice(0, 10),
      metric: ['steps', 'weight', 'resting_heart_rate', 'floors_climbed'][index % 4],
      value: 60,
    }));
    const { counts, codes } = await counted({ daily });
    assert.deepEqual([counts.accepted, counts.rejected_count, codes], [20_000, 80_000, ['over_limit']]);
  });

  it('100,000 different unknown metrics', async () => {
    const samples = [...times(100_000, (index) => ({ ...GOOD, metric: `m${index}` })), GOOD];
    const { counts, codes, body } = await counted({ samples });
    assert.deepEqual(counts, { accepted: 1, duplicates: 0, deleted: 0, rejected_count: 100_000 });
    assert.deepEqual([codes, body.rejected.length], [['unknown_metric'], 1_000]);
  });

  it('every metric of the catalog at once', async () => {
    const { data } = (await api.get('/v1/catalog/metrics')).body;
    const samples = data.flatMap(({ id }: { id: string }) =>
      times(24, (hour) => ({ metric: id, start: at(NOON - hour * HOUR_MS), value: 50 })),
    );
    const { counts, body } = await counted({ samples });
    assert.equal(counts.accepted + counts.rejected_count, samples.length);
    const codes = body.rejected.map((reject: { error: string }) => reject.error);
    assert.deepEqual([...new Set(codes)].sort(), ['computed_metric', 'out_of_range']);
  });
});
