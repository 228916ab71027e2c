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

it('names every day once when clocks change', () => {
  const texts = (from: string, to: string, zone: string) =>
    axisTicks(range(from, to), zone, 600).map(({ ms, text }) => `${text} ${new Date(ms).toISOString().slice(11, 16)}`);
  assert.deepEqual(texts('2026-10-23T22:00:00Z', '2026-10-28T23:00:00Z', 'Europe/Berlin'), [
    'Sat 24 Oct 22:00',
    'Sun 25 Oct 22:00',
    'Mon 26 Oct 23:00',
    'Tue 27 Oct 23:00',
    'Wed 28 Oct 23:00',
  ]);
  assert.deepEqual(texts('2026-03-27T23:00:00Z', '2026-03-31T22:00:00Z', 'Europe/Berlin').slice(0, 3), [
    'Sat 28 Mar 23:00',
    'Sun 29 Mar 23:00',
    'Mon 30 Mar 22:00',
  ]);
  // The clocks of Beirut go from midnight to one.
  assert.deepEqual(texts('2026-03-27T22:00:00Z', '2026-03-31T21:00:00Z', 'Asia/Beirut').slice(0, 3), [
    'Sat 28 Mar 22:00',
    'Sun 29 Mar 22:00',
    'Mon 30 Mar 21:00',
  ]);
});
