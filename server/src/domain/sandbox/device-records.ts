// The records of a simulated user's three devices for some days, in order of time.
import type { MetricId } from '../metrics/index.ts';
import type { LivedDay } from './lived-day.ts';
import { recordPhone } from './phone.ts';
import { createRecordCollector, type DeviceRecordCollector, type DeviceRecords } from './record-collector.ts';
import { recordRing } from './ring.ts';
import { recordWatch } from './watch.ts';

export const SANDBOX_DEVICES = ['ring', 'watch', 'phone'] as const;
export type SandboxDevice = (typeof SANDBOX_DEVICES)[number];

const RECORDERS: Readonly<Record<SandboxDevice, (collector: DeviceRecordCollector, day: LivedDay) => void>> = {
  ring: recordRing,
  watch: recordWatch,
  phone: recordPhone,
};

export function recordDays(device: SandboxDevice, days: readonly LivedDay[]): DeviceRecords {
  const collector = createRecordCollector();
  for (const day of days) RECORDERS[device](collector, day);
  return collector.finish();
}

const ids = (text: string) => text.trim().split(/\s+/) as MetricId[];

/** Every metric that a device may send as samples. Regenerating a day deletes these first. */
export const SAMPLED_METRICS: Readonly<Record<SandboxDevice, readonly MetricId[]>> = {
  ring: ids(
    `heart_rate heart_rate_variability_rmssd resting_heart_rate sleep_heart_rate_min sleep_temperature_deviation`,
  ),
  watch: ids(`
    heart_rate steps distance active_calories resting_energy floors_climbed blood_oxygen respiratory_rate resting_heart_rate
    heart_rate_variability vo2_max`),
  phone: ids(`steps distance floors_climbed dietary_energy water weight`),
};
