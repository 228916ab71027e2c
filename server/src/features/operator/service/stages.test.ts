import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeStage } from './stages.ts';

const now = new Date('2026-03-01T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

describe('describeStage', () => {
  it('is not late without waiting items or while they are young', () => {
    assert.equal(describeStage('events', { waiting: 0, oldestAt: null }, now).isLate, false);
    assert.equal(describeStage('sync', { waiting: 2, oldestAt: minutesAgo(14) }, now).isLate, false);
  });

  it('is late after the time of the stage, and names the command to run', () => {
    assert.equal(describeStage('events', { waiting: 2, oldestAt: minutesAgo(2) }, now).isLate, true);
    const sync = describeStage('sync', { waiting: 2, oldestAt: minutesAgo(16) }, now, { provider: 'oura' });
    assert.equal(sync.command, 'providers check oura');
  });

  it('is late with a parked task, whatever the age', () => {
    assert.equal(
      describeStage('sync', { waiting: 0, oldestAt: null }, now, { provider: 'oura', parked: 1 }).isLate,
      true,
    );
  });
});
