// What the three devices of a person say of some days, in the order of time.
import type { LivedDay } from './lived-day.ts';
import { recordPhone } from './phone.ts';
import { type DeviceRecords, openRecordBook, type RecordBook } from './record-book.ts';
import { recordRing } from './ring.ts';
import { recordWatch } from './watch.ts';

export const SANDBOX_DEVICES = ['ring', 'watch', 'phone'] as const;
export type SandboxDevice = (typeof SANDBOX_DEVICES)[number];

const RECORDERS: Readonly<Record<SandboxDevice, (book: RecordBook, day: LivedDay) => void>> = {
  ring: recordRing,
  watch: recordWatch,
  phone: recordPhone,
};

export function recordDays(device: SandboxDevice, days: readonly LivedDay[]): DeviceRecords {
  const book = openRecordBook();
  for (const day of days) RECORDERS[device](book, day);
  return book.finish();
}
