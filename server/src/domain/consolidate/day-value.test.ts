import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getMetricOrThrow, type MetricId } from '../metrics/index.ts';
import type { EpochMs } from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';
import { NO_QUARTER_HOURS } from '../time/quarter-hours.ts';
import { consolidateDayValue, type DayCandidate } from './day-value.ts';

const ASLEEP = getMetricOrThrow('asleep' as MetricId);

function candidate(
  id: string,
  given: Partial<DayCandidate> & { deviceClass?: 'ring' | 'wrist' | 'app' },
): DayCandidate {
  const { deviceClass = 'wrist', ...rest } = given;
  return {
    device: { id: id as DeviceId, provider: id, deviceClass, transport: 'cloud', connectedAt: 0 as EpochMs },
    isEnabled: true,
    total: null,
    quarterHours: NO_QUARTER_HOURS,
    origin: null,
    ...rest,
  };
}

const ids = (...names: string[]) => names as DeviceId[];
const summarize = (...args: Parameters<typeof consolidateDayValue>) => {
  const { value, contributors, outcomes } = consolidateDayValue(...args);
  return [value, contributors.map(({ id }) => id), outcomes.map(({ device, outcome }) => `${device.id} ${outcome}`)];
};

describe('the value of a day that is derived from sessions', () => {
  const ring = candidate('ring', { deviceClass: 'ring', total: 430, origin: 'sessions' });
  const watch = candidate('watch', { total: 200, origin: 'sessions' });

  it('comes from the canonical sessions and names all their devices', () => {
    const sessions = { value: 460, devices: ids('ring', 'watch') }; // the ring's night and a nap that only the watch saw
    assert.deepEqual(summarize(ASLEEP, 'priority', [watch, ring], sessions), [
      460,
      ['ring', 'watch'],
      ['ring used', 'watch used'],
    ]);
  });

  it('ignores the total of a higher-ranked device whose night is a duplicate', () => {
    const sdkWatch = { ...watch, device: { ...watch.device, transport: 'sdk' as const } };
    const sessions = { value: 430, devices: ids('ring') };
    assert.deepEqual(summarize(ASLEEP, 'priority', [sdkWatch, ring], sessions), [
      430,
      ['ring'],
      ['watch other_record', 'ring used'],
    ]);
  });

  it('prefers a reported total over sessions of lower-ranked devices and of the same device', () => {
    const sessions = { value: 430, devices: ids('ring') };
    const stating = candidate('ring', { deviceClass: 'ring', total: 425, origin: 'stated' });
    assert.deepEqual(summarize(ASLEEP, 'priority', [stating, watch], sessions).slice(0, 2), [425, ['ring']]);
    const app = candidate('app', { deviceClass: 'app', total: 100, origin: 'stated' });
    assert.deepEqual(summarize(ASLEEP, 'priority', [app, ring], sessions).slice(0, 2), [430, ['ring']]);
  });

  it('compares the sessions of each device for the other methods', () => {
    const sessions = { value: 460, devices: ids('ring', 'watch') };
    assert.equal(consolidateDayValue(ASLEEP, 'max', [watch, ring], sessions).value, 430);
    assert.equal(consolidateDayValue(ASLEEP, 'avg', [watch, ring], sessions).value, 315);
  });

  it('is null if no session is canonical', () => {
    assert.deepEqual(summarize(ASLEEP, 'priority', [watch], null), [null, [], ['watch other_record']]);
  });

  it('gives the part of each device in a sum, and names the device of a value that another device shares', () => {
    const amounts = new Map([
      ['ring' as DeviceId, 430],
      ['watch' as DeviceId, 30],
    ]);
    const { outcomes } = consolidateDayValue(ASLEEP, 'priority', [watch, ring], {
      value: 460,
      devices: ids('ring', 'watch'),
      amounts,
    });
    assert.deepEqual(
      outcomes.map(({ contributed }) => contributed),
      [430, 30],
    );
    const filled = summarize(ASLEEP, 'priority', [watch, ring], { value: 30, devices: ids('watch') });
    assert.deepEqual(filled, [30, ['watch'], ['ring other_record', 'watch used']]);
  });
});
