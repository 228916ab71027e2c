import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { whoop } from '../../../../providers/whoop/index.ts';
import { mapParts } from './map-page.ts';

describe('a raw page that was stored with more follow-up requests than it needs now', () => {
  it('is mapped with all its responses', () => {
    const sleep = {
      id: '11111111-1111-4111-8111-111111111111',
      cycle_id: 7,
      start: '2026-03-01T22:00:00Z',
      end: '2026-03-02T06:00:00Z',
      timezone_offset: '+01:00',
      nap: false,
    };
    const wrong = { ...sleep, id: '22222222-2222-4222-8222-222222222222', cycle_id: 6, end: '2025-03-02T06:00:00Z' };
    const cycle = { id: 7, score_state: 'SCORED', score: { average_heart_rate: 61 } };
    const partOf = (resource: string, records: readonly object[], followUp: number | null) => ({
      resource,
      body: { records },
      bytes: new Uint8Array(),
      followUp,
    });
    const parts = [
      partOf('sleep', [sleep, wrong], null),
      partOf('recovery', [], 0),
      ...Array.from({ length: 18 }, (_, index) => partOf('cycle', [], index + 1)),
      partOf('cycle', [cycle], 19),
    ];
    const records = mapParts(whoop, parts, { window: null, zone: 'UTC' }, new Set());
    assert.deepEqual(
      records.at(-1)?.daily.map(({ metric, value }) => [metric, value]),
      [['heart_rate', 61]],
    );
  });
});
