// Tests GET /admin/users/{id}/blocks and /days, which show stored data.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createFrozenClock } from '../support/test-clock.ts';
import { IPHONE, startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createUser } from '../support/test-users.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-10T12:00:00Z')) });
after(() => service.stop());
const operator = service.operator();
const user = await createUser(service.api(), { timezone: 'Europe/Berlin' });
const phone = await startPhone(service, user.id);
const at = (time: string) => `2026-03-09T${time}:00+01:00`;
await phone.upload({
  samples: [
    { metric: 'heart_rate', start: at('10:00'), value: 60 },
    { metric: 'heart_rate', start: at('10:01'), value: 61.5, recording_method: 'manual' },
    { metric: 'heart_rate', start: '2026-03-08T10:00:00Z', value: 70 },
    { metric: 'cycling', start: at('10:00'), end: at('10:10'), value: 1, unit: 'mi' },
  ],
  daily: [{ date: '2026-03-09', metric: 'steps', value: 700 }],
});
await phone.upload({
  source: IPHONE,
  samples: [{ metric: 'steps', start: at('08:00'), end: at('08:10'), value: 650 }],
});
const { data: devices } = (await service.api().get(`/v1/users/${user.id}/devices`)).body;
const [watch, iphone] = devices as { id: string }[];

const get = async (what: string, query: Record<string, string> = {}) =>
  operator.get(`/admin/users/${user.id}/${what}?${new URLSearchParams(query)}`);

describe('GET /admin/users/{id}/blocks', () => {
  it('200 lists blocks by metric, device and interval, without decoding them', async () => {
    const { body } = await get('blocks', { metric: 'heart_rate' });
    assert.equal(body.next, null);
    const [yesterday, today] = body.data;
    assert.deepEqual([yesterday.count, yesterday.min, today.count, today.sum], [1, 70, 2, 121.5]);
    const { bytes, ...rest } = today;
    assert.ok(Number.isInteger(bytes) && bytes > 0);
    assert.deepEqual(rest, {
      metric: 'heart_rate',
      unit: 'bpm',
      device: { number: 1, id: watch?.id, provider: 'apple_health', device_class: 'wrist' },
      from: '2026-03-09T09:00:00Z',
      to: '2026-03-09T09:01:00Z',
      count: 2,
      min: 60,
      max: 61.5,
      sum: 121.5,
      revision: 1,
      problem: null,
      samples: null,
    });
  });

  it('200 decodes them: value, unit, offset and method as the device sent them', async () => {
    const { body } = await get('blocks', { date: '2026-03-09', device: watch?.id ?? '', samples: 'true' });
    const byMetric = Object.fromEntries(body.data.map((block: { metric: string }) => [block.metric, block]));
    assert.deepEqual(Object.keys(byMetric).sort(), ['cycling', 'heart_rate']);
    const offset = { offset_minutes: 60 };
    assert.deepEqual(byMetric.heart_rate.samples, [
      {
        start: '2026-03-09T09:00:00Z',
        end: '2026-03-09T09:00:00Z',
        value: 60,
        unit: 'bpm',
        ...offset,
        recording_method: 'unknown',
      },
      {
        start: '2026-03-09T09:01:00Z',
        end: '2026-03-09T09:01:00Z',
        value: 61.5,
        unit: 'bpm',
        ...offset,
        recording_method: 'manual',
      },
    ]);
    assert.deepEqual(
      byMetric.cycling.samples.map((sample: { value: number; unit: string }) => [sample.value, sample.unit]),
      [[1, 'mi']],
    );
    assert.equal(byMetric.cycling.unit, 'km');
  });

  it('200 returns pages that add up to the whole, and names a block that cannot be decoded', async () => {
    const other = await createUser(service.api());
    const many = Array.from({ length: 5 }, (_, day) => ({
      metric: 'heart_rate',
      start: `2026-03-0${day + 1}T10:00:00Z`,
      value: 60 + day,
    }));
    await (await startPhone(service, other.id)).upload({ samples: many });
    const { db } = service.running.services;
    // Enough samples to fill a page each: the count in the row decides.
    await db.query('update sample_blocks set count = 15000 where user_id = $1', [other.id]);
    await db.query(`update sample_blocks set payload = '\\x09' where user_id = $1 and min = 62`, [other.id]);
    const found: [number, string | null][] = [];
    for (let after = ''; ; ) {
      const page = await operator.get(`/admin/users/${other.id}/blocks?samples=true${after}`);
      assert.equal(page.status, 200, page.text);
      assert.equal(page.body.data.length, 1);
      for (const { min, problem } of page.body.data) found.push([min, problem]);
      if (page.body.next === null) break;
      after = `&after=${page.body.next}`;
    }
    assert.deepEqual(found, [
      [60, null],
      [61, null],
      [62, 'unknown compression 9 of a sample block'],
      [63, null],
      [64, null],
    ]);
  });

  it('400 for an unknown metric, device, date or cursor, 404 for an unknown user', async () => {
    for (const query of [
      { metric: 'nonsense' },
      { device: ABSENT_ID },
      { date: 'yesterday' },
      { after: 'x' },
      { samples: 'yes' },
      { what: 'x' },
    ] as unknown as Record<string, string>[])
      assert.equal((await get('blocks', query)).status, 400, JSON.stringify(query));
    assert.equal((await operator.get(`/admin/users/${ABSENT_ID}/blocks`)).status, 404);
  });
});

describe('GET /admin/users/{id}/days', () => {
  it('200 returns the canonical value with its contributors, and each device value', async () => {
    const { body } = await get('days', { date: '2026-03-09', metric: 'steps' });
    assert.deepEqual(body.data, [
      { metric: 'steps', device: null, value: 700, unit: 'count', note: '1', from_devices: [1] },
      {
        metric: 'steps',
        device: { number: 1, id: watch?.id, provider: 'apple_health', device_class: 'wrist' },
        value: 700,
        unit: 'count',
        note: 'stated unknown count',
        from_devices: [],
      },
      {
        metric: 'steps',
        device: { number: 2, id: iphone?.id, provider: 'apple_health', device_class: 'phone' },
        value: 650,
        unit: 'count',
        note: 'samples unknown count',
        from_devices: [],
      },
    ]);
    assert.deepEqual((await get('days', { date: '2026-01-01' })).body, { data: [] });
  });

  it('400 without a day, 404 for an unknown user', async () => {
    assert.equal((await get('days')).status, 400);
    assert.equal((await get('days', { date: '2026-02-30' })).status, 400);
    assert.equal((await operator.get(`/admin/users/${ABSENT_ID}/days?date=2026-03-09`)).status, 404);
  });
});
