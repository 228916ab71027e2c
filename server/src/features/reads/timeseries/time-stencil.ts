// Timestamps on the wire, fast: most of the bytes are those of the sample before.
import { createStencil, type Stencil } from './json-bytes.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const ZERO = 0x30;

/** Gives the stencil of one moment, until it is asked again. */
export type TimeStencil = (epochMs: number) => Stencil;

/** Whole milliseconds as `formatInstant` writes them, between two texts that never change. */
export function createTimeStencil(before = '', after = ''): TimeStencil {
  let dayMs = Number.NaN;
  let minuteMs = Number.NaN;
  let ofSeconds = createStencil('');
  let ofMilliseconds = ofSeconds;
  let place = 0;

  const enterDay = (epochMs: number) => {
    dayMs = Math.floor(epochMs / DAY_MS) * DAY_MS;
    const [date] = new Date(dayMs).toISOString().split('T');
    place = Buffer.byteLength(`${before}${date}T`);
    ofSeconds = createStencil(`${before}${date}T00:00:00Z${after}`);
    ofMilliseconds = createStencil(`${before}${date}T00:00:00.000Z${after}`);
  };
  const enterMinute = (epochMs: number) => {
    if (!(epochMs >= dayMs && epochMs < dayMs + DAY_MS)) enterDay(epochMs);
    minuteMs = Math.floor(epochMs / MINUTE_MS) * MINUTE_MS;
    const ofDay = minuteMs - dayMs;
    const hour = (ofDay / HOUR_MS) | 0;
    const minute = ((ofDay - hour * HOUR_MS) / MINUTE_MS) | 0;
    writeTwoDigits(ofSeconds.bytes, place, hour);
    writeTwoDigits(ofSeconds.bytes, place + 3, minute);
    writeTwoDigits(ofMilliseconds.bytes, place, hour);
    writeTwoDigits(ofMilliseconds.bytes, place + 3, minute);
  };

  return (epochMs) => {
    if (!(epochMs >= minuteMs && epochMs < minuteMs + MINUTE_MS)) enterMinute(epochMs);
    const rest = (epochMs - minuteMs) | 0;
    const second = (rest / SECOND_MS) | 0;
    const milliseconds = rest - second * SECOND_MS;
    const stencil = milliseconds === 0 ? ofSeconds : ofMilliseconds;
    writeTwoDigits(stencil.bytes, place + 6, second);
    if (milliseconds !== 0) {
      const tens = (milliseconds / 10) | 0;
      writeTwoDigits(stencil.bytes, place + 9, tens);
      stencil.bytes[place + 11] = ZERO + milliseconds - tens * 10;
    }
    return stencil;
  };
}

function writeTwoDigits(bytes: Uint8Array, place: number, number: number): void {
  const tens = (number / 10) | 0;
  bytes[place] = ZERO + tens;
  bytes[place + 1] = ZERO + number - tens * 10;
}
