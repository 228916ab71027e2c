// One device-day of heart rate at ten-second intervals, as an upload body and as COPY rows.

import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { createRandom } from '../support/random.ts';

export const SAMPLES_A_DAY = 8_640;

const STEP_MS = 10_000;
const FIRST_DAY_MS = Date.UTC(2025, 0, 1);
/** Microseconds between the Unix epoch and PostgreSQL's epoch (2000-01-01). */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);
const HEART_RATE = 1;
const DEVICE = 1;

export function makeUploadBody(day: number): Buffer {
  const samples = listValues(day).map((value, index) => ({
    metric: 'heart_rate',
    start: new Date(startOf(day, index)).toISOString().replace('.000', ''),
    value,
    unit: 'bpm',
  }));
  const source = { provider: 'apple_health', id: 'watch-1', name: 'Watch', device_class: 'wrist' };
  return Buffer.from(JSON.stringify({ upload_id: randomUUID(), source, samples }));
}

const COPY_SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const COLUMNS = 5;
const ROW_BYTES = 2 + COLUMNS * 4 + 16 + 2 + 2 + 8 + 8;

/** PostgreSQL reads the binary format fastest. Columns: user, metric, device, time, value. */
export function makeCopyRows(day: number, userId: string): Buffer {
  const user = Buffer.from(userId.replaceAll('-', ''), 'hex');
  const bytes = Buffer.alloc(COPY_SIGNATURE.length + SAMPLES_A_DAY * ROW_BYTES + 2);
  let offset = COPY_SIGNATURE.copy(bytes, 0);
  for (const [index, value] of listValues(day).entries()) {
    offset = bytes.writeInt16BE(COLUMNS, offset);
    offset = bytes.writeInt32BE(user.length, offset);
    offset += user.copy(bytes, offset);
    offset = bytes.writeInt32BE(2, offset);
    offset = bytes.writeInt16BE(HEART_RATE, offset);
    offset = bytes.writeInt32BE(2, offset);
    offset = bytes.writeInt16BE(DEVICE, offset);
    offset = bytes.writeInt32BE(8, offset);
    offset = bytes.writeBigInt64BE(BigInt(startOf(day, index) - POSTGRES_EPOCH_MS) * 1_000n, offset);
    offset = bytes.writeInt32BE(8, offset);
    offset = bytes.writeDoubleBE(value, offset);
  }
  bytes.writeInt16BE(-1, offset);
  return bytes;
}

function startOf(day: number, index: number): number {
  return FIRST_DAY_MS + day * DAY_MS + index * STEP_MS;
}

/** A heart rate that varies slightly. */
function listValues(day: number): number[] {
  const random = createRandom(day);
  let level = 60 + random() * 20;
  return Array.from({ length: SAMPLES_A_DAY }, () => {
    level += (random() - 0.5) * 4 + (70 - level) * 0.02;
    return Math.round(level);
  });
}
