import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getMetricOrThrow, type MetricId } from '../metrics/index.ts';
import type { DeviceClass } from '../metrics/metric.ts';
import type { EpochMs } from '../records/records.ts';
import type { DeviceId, DeviceNumber } from '../tenancy.ts';
import { changeSettings, createRules, NO_SETTINGS } from './consolidation-rules.ts';
import { rankContributors } from './contributors.ts';

const steps = getMetricOrThrow('steps' as MetricId);
const device = (number: number, provider: string, deviceClass: DeviceClass, transport: 'sdk' | 'cloud') => ({
  id: `device-${number}` as DeviceId,
  number: number as DeviceNumber,
  provider,
  deviceClass,
  transport,
  connectedAt: number as EpochMs,
});
const devices = [
  device(1, 'oura', 'ring', 'cloud'),
  device(2, 'garmin', 'wrist', 'cloud'),
  device(3, 'apple_health', 'phone', 'sdk'),
  device(4, 'apple_health', 'wrist', 'sdk'),
];
const samples = new Map([1, 2, 3].map((number) => [number as DeviceNumber, `samples of ${number}`]));
const rank = (providers: Record<string, boolean>) => {
  const { isEnabled } = createRules(changeSettings(NO_SETTINGS, { metrics: { steps: { providers } }, providers: {} }));
  return rankContributors(steps, { devices, isEnabled }, samples).map((one) => [one.device.number, one.samples]);
};

describe('rankContributors', () => {
  it('lists the devices with samples, best first', () => {
    assert.deepEqual(rank({}), [
      [3, 'samples of 3'],
      [2, 'samples of 2'],
      [1, 'samples of 1'],
    ]);
  });

  it('skips the devices of a disabled provider', () => {
    assert.deepEqual(
      rank({ apple_health: false, oura: false }).map(([number]) => number),
      [2],
    );
  });

  it('is empty without samples', () => {
    const { isEnabled } = createRules(NO_SETTINGS);
    assert.deepEqual(rankContributors(steps, { devices, isEnabled }, undefined), []);
  });
});
