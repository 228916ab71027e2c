import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeviceId, UserId } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { EVENT_TYPES, type EventType, writeEvent } from './event.ts';

const waiting = (type: EventType) => ({
  id: '0190a000-0000-7000-8000-000000000001',
  type,
  userId: '0190a000-0000-7000-8000-000000000002' as UserId,
  deviceId: '0190a000-0000-7000-8000-000000000003' as DeviceId,
  metrics: ['steps', 'heart_rate'],
  fromDate: '2026-03-01' as LocalDate,
  toDate: '2026-03-02' as LocalDate,
  hasDeletions: false,
  failureReason: null,
  createdAt: new Date('2026-03-02T07:05:09Z'),
});
const BASE = ['event_id', 'event_type', 'metrics', 'user_id', 'device_id', 'timestamp'];
const DAYS = ['from_date', 'to_date'];

describe('writeEvent', () => {
  it('has the fields of the specification, and dates if data changed', () => {
    const expected: Record<EventType, string[]> = {
      'data.updated': [...BASE, ...DAYS],
      'score.updated': [...BASE, ...DAYS, 'scores'],
      'device.connected': BASE,
      'device.disconnected': BASE,
      'device.failed': BASE,
      'device.backfilled': BASE,
      'subject.synced': [...BASE, ...DAYS],
      'user.deleted': BASE,
    };
    for (const type of EVENT_TYPES)
      assert.deepEqual(Object.keys(JSON.parse(writeEvent(waiting(type)))), expected[type], type);
  });

  it('writes the values of the event', () => {
    assert.deepEqual(JSON.parse(writeEvent(waiting('data.updated'))), {
      event_id: '0190a000-0000-7000-8000-000000000001',
      event_type: 'data.updated',
      metrics: ['steps', 'heart_rate'],
      user_id: '0190a000-0000-7000-8000-000000000002',
      device_id: '0190a000-0000-7000-8000-000000000003',
      timestamp: '2026-03-02T07:05:09Z',
      from_date: '2026-03-01',
      to_date: '2026-03-02',
    });
  });

  it('says why a device is not connected, also by the former name `reason`', () => {
    const failed = JSON.parse(writeEvent({ ...waiting('device.failed'), failureReason: 'declined' }));
    assert.deepEqual([failed.failure_reason, failed.reason], ['declined', 'declined']);
  });

  it('has `deleted` only if values were deleted', () => {
    assert.equal(JSON.parse(writeEvent({ ...waiting('data.updated'), hasDeletions: true })).deleted, true);
    assert.ok(!writeEvent(waiting('data.updated')).includes('deleted'));
  });
});
