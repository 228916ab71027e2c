import assert from 'node:assert/strict';
import { it } from 'node:test';
import { axisTicks } from './axis-ticks.ts';

const range = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) });

it('labels hours within a day and days within weeks, in the zone of the person', () => {
  const hours = axisTicks(range('2026-03-10T05:10:00Z', '2026-03-10T23:30:00Z'), 'Europe/Berlin', 600);
  assert.deepEqual(
    hours.map(({ text }) => text),
    ['09:00', '12:00', '15:00', '18:00', '21:00', 'Wed 11 Mar'],
  );
  const days = axisTicks(range('2026-03-09T23:00:00Z', '2026-03-14T23:00:00Z'), 'Europe/Berlin', 600);
  assert.deepEqual(days[0]?.text, 'Tue 10 Mar');
  assert.equal(days.length, 5);
  assert.ok(axisTicks(range('2025-03-10T00:00:00Z', '2026-03-10T00:00:00Z'), 'UTC', 600).length <= 8);
});
