// One device-day of heart rate at ten seconds: as the body of an upload, and as the rows of a COPY.
import { randomUUID } from 'node:crypto';
import { createRandom } from '../support/random.ts';

export const SAMPLES_A_DAY = 8_640;

const STEP_MS = 10_000;
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2025, 0, 1);
/** Microseconds between PostgreSQL's year 2000 and a moment of 1970. */
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

/** Binary, which is what PostgreSQL reads fastest: user, metric, device, time, value. */
export function makeCopyRows(day: number, userId: string): Buffer {
  const user = Buffer.from(userId.replaceAll('-', ''), 'hex');
  const bytes = Buffer.alloc(COPY_SIGNATURE.length + SAMPLES_A_DAY * ROW_BYTES + 2);
  let place = COPY_SIGNATURE.copy(bytes, 0);
  for (const [index, value] of listValues(day).entries()) {
    place = bytes.writeInt16BE(COLUMNS, place);
    place = bytes.writeInt32BE(user.length, place);
    place += user.copy(bytes, place);
    place = bytes.writeInt32BE(2, place);
    place = bytes.writeInt16BE(HEART_RATE, place);
    place = bytes.writeInt32BE(2, place);
    place = bytes.writeInt16BE(DEVICE, place);
    place = bytes.writeInt32BE(8, place);
    place = bytes.writeBigInt64BE(BigInt(startOf(day, index) - POSTGRES_EPOCH_MS) * 1_000n, place);
    place = bytes.writeInt32BE(8, place);
    place = bytes.writeDoubleBE(value, place);
  }
  bytes.writeInt16BE(-1, place);
  return bytes;
}

function startOf(day: number, index: number): number {
  return FIRST_DAY_MS + day * DAY_MS + index * STEP_MS;
}

/** A heart that beats a little faster, a little slower. */
function listValues(day: number): number[] {
  const random = createRandom(day);
  let level = 60 + random() * 20;
  return Array.from({ length: SAMPLES_A_DAY }, () => {
    level += (random() - 0.5) * 4 + (70 - level) * 0.02;
    return Math.round(level);
  });
}
