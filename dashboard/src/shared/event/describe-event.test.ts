import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clockSeconds } from '../time/format-time.ts';
import { describeEvent, nameOfUser, timeOfEvent } from './describe-event.ts';

const EVENT = { metrics: [], from_date: null, to_date: null, device: null };
const WATCH = { id: 'd', provider: 'whoop', class: 'wrist', name: null };

describe('an event in words', () => {
  it('names three metrics, the day and the device', () => {
    const metrics = ['steps', 'heart_rate', 'distance', 'floors', 'energy'];
    const device = { ...WATCH, name: 'Apple Watch' };
    assert.equal(
      describeEvent({ ...EVENT, metrics, from_date: '2026-11-14', to_date: '2026-11-14', device }),
      'steps, heart rate, distance and 2 more · 14 Nov from Apple Watch',
    );
  });

  it('names scores without the word, and a range of days', () => {
    const metrics = ['recovery_score', 'strain_score'];
    assert.equal(
      describeEvent({ ...EVENT, metrics, from_date: '2026-11-09', to_date: '2026-11-14' }),
      'recovery and strain · 9 Nov – 14 Nov',
    );
  });

  it('names a device without a name by its provider', () => {
    assert.equal(describeEvent({ ...EVENT, device: WATCH }), 'from WHOOP watch');
    assert.equal(describeEvent(EVENT), '');
  });

  it('has the day unless it is today', () => {
    const at = '2026-11-14T12:00:00Z';
    assert.equal(timeOfEvent(at, Date.parse('2026-11-14T12:30:00Z')), clockSeconds(at));
    assert.equal(timeOfEvent(at, Date.parse('2026-11-16T12:30:00Z')), `14 Nov ${clockSeconds(at)}`);
  });

  it('names a deleted user by the id', () => {
    assert.equal(nameOfUser({ reference_id: null, user_id: '01a1e04c-8127-77be' }), '01a1e04c…');
  });
});
