import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeviceId } from '../../../domain/tenancy.ts';
import { isConnected, LISTED_AFTER_CLOSING_MS, resolveDevice, type StoredDevice } from './device.ts';

const CLOSES_AT = new Date('2026-03-01T12:30:00Z');
const at = (ms: number) => new Date(CLOSES_AT.getTime() + ms);
const device = (given: Partial<StoredDevice>): StoredDevice => ({
  id: 'd' as DeviceId,
  provider: 'oura',
  status: 'pending',
  connectedAt: null,
  lastSyncAt: null,
  mergedInto: null,
  backfill: null,
  failureReason: null,
  scopes: null,
  closesAt: CLOSES_AT,
  ...given,
});
const statusAt = (given: Partial<StoredDevice>, ms: number) => resolveDevice(device(given), at(ms))?.status ?? null;

describe('the current status of a device', () => {
  it('is expired when its authorization request expires, and unlisted a day later', () => {
    assert.equal(statusAt({}, -1), 'pending');
    assert.equal(statusAt({}, 0), 'expired');
    assert.equal(statusAt({}, LISTED_AFTER_CLOSING_MS - 1), 'expired');
    assert.equal(statusAt({}, LISTED_AFTER_CLOSING_MS), null);
  });

  it('stays failed for a day, then the device is unlisted', () => {
    assert.equal(statusAt({ status: 'failed' }, 1), 'failed');
    assert.equal(statusAt({ status: 'failed' }, LISTED_AFTER_CLOSING_MS), null);
  });

  it('is pending for a device with data only while it is being reconnected', () => {
    const waiting = { status: 'reauthorize', connectedAt: at(-1e9) } as const;
    assert.equal(statusAt(waiting, -1), 'pending');
    assert.equal(statusAt(waiting, 0), 'reauthorize');
    assert.equal(statusAt(waiting, LISTED_AFTER_CLOSING_MS * 2), 'reauthorize');
    assert.equal(isConnected(resolveDevice(device(waiting), at(-1)) ?? assert.fail()), true);
    assert.equal(isConnected(resolveDevice(device({}), at(-1)) ?? assert.fail()), false);
  });

  it('is the stored status without an open authorization request', () => {
    assert.equal(statusAt({ status: 'active', closesAt: null }, 1e12), 'active');
    assert.equal(statusAt({ status: 'pending', closesAt: null }, 1e12), 'pending');
  });
});
