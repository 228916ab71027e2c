import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findMetric } from '../metrics/index.ts';
import { DEVICE_CLASSES } from '../metrics/metric.ts';
import type { EpochMs } from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';
import { explainRank, type RankedDevice, rankDevices } from './ranking.ts';

const device = (id: string, given: Partial<RankedDevice> = {}): RankedDevice => ({
  id: id as DeviceId,
  provider: 'oura',
  deviceClass: 'wrist',
  transport: 'cloud',
  connectedAt: 0 as EpochMs,
  ...given,
});
const order = (metric: string, ...devices: RankedDevice[]) =>
  rankDevices(findMetric(metric)?.ranking ?? [], devices).map(({ id }) => id as string);

describe('the rank of a device', () => {
  it('puts Mobile SDK sources first, whatever their class', () => {
    assert.deepEqual(order('asleep', device('ring', { deviceClass: 'ring' }), device('phone', { transport: 'sdk' })), [
      'phone',
      'ring',
    ]);
  });

  it('then uses the ranking of the metric: ring first for sleep, wrist first for heart rate, scale first for the body', () => {
    const all = DEVICE_CLASSES.map((deviceClass) => device(deviceClass, { deviceClass }));
    assert.equal(order('asleep', ...all)[0], 'ring');
    assert.equal(order('heart_rate', ...all)[0], 'wrist');
    assert.equal(order('weight', ...all)[0], 'scale');
    assert.equal(order('protein', ...all)[0], 'app');
    assert.equal(order('blood_glucose', ...all)[0], 'cgm');
  });

  it('then uses the default order for classes that the metric does not name', () => {
    const all = DEVICE_CLASSES.map((deviceClass) => device(deviceClass, { deviceClass })).reverse();
    assert.deepEqual(order('protein', ...all), ['app', ...DEVICE_CLASSES.filter((name) => name !== 'app')]);
  });

  it('then prefers the newest connection, then the id', () => {
    const newest = device('z', { connectedAt: 2 as EpochMs });
    assert.deepEqual(order('steps', device('b'), newest, device('a')), ['z', 'a', 'b']);
  });

  it('does not depend on the order of arrival', () => {
    const anyDevice = fc.record({
      id: fc.uuid().map((id) => id as DeviceId),
      provider: fc.constantFrom('oura', 'garmin'),
      deviceClass: fc.constantFrom(...DEVICE_CLASSES),
      transport: fc.constantFrom('sdk' as const, 'cloud' as const),
      connectedAt: fc.nat(3).map((ms) => ms as EpochMs),
    });
    const anyList = fc.uniqueArray(anyDevice, { selector: ({ id }) => id, maxLength: 8 });
    fc.assert(
      fc.property(anyList, (devices) => {
        const shuffled = devices.toSorted((a, b) => (a.id.slice(-4) < b.id.slice(-4) ? -1 : 1));
        assert.deepEqual(rankDevices(['ring', 'app'], shuffled), rankDevices(['ring', 'app'], devices));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the reason for a rank', () => {
  const reasons = (...devices: RankedDevice[]) => devices.map((_, index) => explainRank(devices, index));

  it('is the first rule that separates a device from its neighbour', () => {
    const phone = device('a', { transport: 'sdk', deviceClass: 'phone' });
    const ring = device('b', { deviceClass: 'ring' });
    const older = device('c', { deviceClass: 'ring', connectedAt: -1 as EpochMs });
    assert.deepEqual(reasons(phone, ring, older), ['transport', 'transport', 'connection_time']);
    assert.deepEqual(reasons(ring, device('d')), ['device_class', 'device_class']);
    assert.deepEqual(reasons(ring, device('d', { deviceClass: 'ring' })), ['id', 'id']);
  });

  it('is that there is no other device', () => {
    assert.deepEqual(reasons(device('a')), ['only_device']);
  });
});
