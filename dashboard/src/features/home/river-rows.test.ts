import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Flow } from './queries.ts';
import { listOutlets, listSources } from './river-rows.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const source = (key: string, fields: Partial<Flow['sources'][number]> = {}) => ({
  key,
  updates: 3,
  devices: 2,
  reconnect: 0,
  waits_until: null,
  ...fields,
});
const outlet = (fields: Partial<Flow['outlets'][number]>) => ({
  webhook_id: 'w1',
  name: 'CRM',
  status: 'active' as const,
  disabled_reason: null,
  delivered: 4,
  failed: 0,
  waiting: 0,
  failing_since: null,
  ...fields,
});

describe('names of the river', () => {
  it('says updates and devices, people to reconnect, or when a provider continues', () => {
    const rows = listSources(
      [
        source('phone'),
        source('whoop', { reconnect: 2 }),
        source('oura', { waits_until: '2026-11-16T12:06:00Z', devices: null }),
      ],
      NOW,
    );
    assert.deepEqual(
      rows.map(({ name, notes, tone }) => [name, notes[0], tone]),
      [
        ['Phones', '3 updates', 'plain'],
        ['WHOOP', '2 to reconnect', 'bad'],
        ['Oura', 'continues in 6 min', 'pale'],
      ],
    );
  });

  it('sums up what does not fit', () => {
    const rows = listSources(
      Array.from({ length: 12 }, (_, index) => source(`p${index}`)),
      NOW,
    );
    assert.equal(rows.length, 8);
    assert.deepEqual([rows[7]?.name, rows[7]?.count], ['5 more sources', 15]);
  });

  it('blocks failing and disabled webhooks', () => {
    const [fine, failing, paused] = listOutlets([
      outlet({}),
      outlet({ failing_since: '2026-11-16T11:00:00Z', waiting: 67, delivered: 0 }),
      outlet({ status: 'disabled', disabled_reason: 'paused' }),
    ]);
    assert.deepEqual([fine?.isBlocked, fine?.notes], [false, ['4 delivered']]);
    assert.deepEqual([failing?.isBlocked, failing?.tone, failing?.notes[0]], [true, 'bad', '67 waiting']);
    assert.deepEqual([paused?.isBlocked, paused?.tone, paused?.notes[0]], [true, 'pale', 'paused']);
  });
});
