import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeEvent } from './describe-event.ts';

const EVENT = {
  event_id: 'e',
  event_type: 'data.updated',
  metrics: ['steps', 'weight', 'heart_rate'],
  user_id: 'someone',
  device_id: 'watch',
  timestamp: '2026-03-09T11:00:07.123Z',
  from_date: '2026-03-01',
  to_date: '2026-03-02',
};

describe('describeEvent', () => {
  it('prints time, type, user, metrics and days', () => {
    assert.equal(
      describeEvent(EVENT),
      '2026-03-09 11:00:07Z  data.updated         someone  steps, weight, heart_rate  2026-03-01 to 2026-03-02',
    );
  });

  it('shortens many metrics, prints a single day once, and marks deletions', () => {
    const event = { ...EVENT, metrics: [...EVENT.metrics, 'a', 'b'], to_date: '2026-03-01', deleted: true };
    assert.match(describeEvent(event), / {2}steps, weight, heart_rate \+2 {2}2026-03-01 {2}\(includes deletions\)$/);
  });

  it('prints the device of device events, and omits missing fields', () => {
    const { from_date: _from, to_date: _to, ...bare } = { ...EVENT, metrics: [], timestamp: '2026-03-09T11:00:07Z' };
    assert.equal(
      describeEvent({ ...bare, event_type: 'device.connected' }),
      '2026-03-09 11:00:07Z  device.connected     someone  device watch',
    );
    assert.equal(
      describeEvent({ ...bare, event_type: 'user.deleted', device_id: null }),
      '2026-03-09 11:00:07Z  user.deleted         someone',
    );
    assert.match(describeEvent({ ...EVENT, from_date: null, to_date: null }), / heart_rate$/);
  });
});
