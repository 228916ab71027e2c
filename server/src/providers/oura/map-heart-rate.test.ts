import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listReported } from '../../../test/support/reported-samples.ts';
import { mapHeartRate } from './map-heart-rate.ts';

const context = { zone: 'Europe/Berlin', window: null };
const map = (...data: unknown[]) => mapHeartRate({ data, next_token: null }, context);
const item = (timestamp: string, bpm: unknown) => ({ bpm, source: 'awake', timestamp });

describe('mapHeartRate', () => {
  it('reads every time format, and the zone offset before and after a clock change', () => {
    const records = map(
      item('2026-03-29T00:59:30+00:00', 61),
      item('2026-03-29T01:00:30.5Z', 62),
      item('2026-03-29T01:01:30.123456789+00:00', 63),
      item('2026-03-29T04:02:30+02:00', 64),
    );
    assert.deepEqual(
      listReported(records, 'heart_rate').map(({ start, offsetMinutes, value }) => [start, offsetMinutes, value]),
      [
        [Date.parse('2026-03-29T00:59:30Z'), 60, 61],
        [Date.parse('2026-03-29T01:00:30.500Z'), 120, 62],
        [Date.parse('2026-03-29T01:01:30.123Z'), 120, 63],
        [Date.parse('2026-03-29T02:02:30Z'), 120, 64],
      ],
    );
  });

  it('keeps a measured 0, and drops an item without a value', () => {
    const records = map(item('2026-03-29T00:59:30Z', 0), item('2026-03-29T00:59:31Z', null));
    assert.deepEqual(
      listReported(records, 'heart_rate').map(({ value }) => value),
      [0],
    );
    assert.equal(records.unreadable.size, 0);
  });

  it('drops and counts unreadable items and reads the rest', () => {
    const records = map(
      item('2026-03-29T00:00:00', 61),
      item('2026-03-29T00:00:00Z', 'x'),
      'no item',
      item('2026-03-29T00:59:30Z', 62),
    );
    assert.deepEqual(
      listReported(records, 'heart_rate').map(({ value }) => value),
      [62],
    );
    assert.deepEqual(Object.fromEntries(records.unreadable), { timestamp: 1, record: 2, bpm: 1 });
  });
});
