// Writes a small FIT recording of a workout: a record per minute with position and heart rate, laps and one session.
import { FitBaseType, FitEncoder } from 'fit-file-parser/encoder';
import { MINUTE_MS, SECOND_MS } from '../domain/time/durations.ts';

type Recorded = {
  readonly startMs: number;
  readonly endMs: number;
  /** FIT numbers: 1 running, 2 cycling, 11 walking. */
  readonly sport: number;
  readonly meters: number;
  bpmAt(ms: number): number | null;
};

const FIT_EPOCH_MS = Date.UTC(1989, 11, 31);
const SEMICIRCLES = 2 ** 31 / 180;
/** Around a lake; the same for everybody. */
const CENTER = { latitude: 52.43, longitude: 13.65, radius: 0.01 };
const MESSAGE = { fileId: 0, session: 18, lap: 19, record: 20 };
const LAP_MS = 10 * MINUTE_MS;

const u32 = (number: number, value: number) => ({
  number,
  size: 4,
  baseType: FitBaseType.Uint32,
  value: Math.round(value),
});
const s32 = (number: number, value: number) => ({
  number,
  size: 4,
  baseType: FitBaseType.Sint32,
  value: Math.round(value),
});
const u8 = (number: number, value: number) => ({
  number,
  size: 1,
  baseType: FitBaseType.Uint8,
  value: Math.round(value),
});
const byte = (number: number, value: number) => ({ number, size: 1, baseType: FitBaseType.Enum, value });

export function writeFitRecording({ startMs, endMs, sport, meters, bpmAt }: Recorded): Buffer {
  const encoder = new FitEncoder();
  encoder.writeMessage(MESSAGE.fileId, [byte(0, 4), u32(4, secondsOf(startMs))]);
  for (let ms = startMs; ms <= endMs; ms += MINUTE_MS) {
    const angle = ((ms - startMs) / (endMs - startMs)) * 2 * Math.PI;
    const bpm = bpmAt(ms);
    encoder.writeMessage(MESSAGE.record, [
      u32(253, secondsOf(ms)),
      s32(0, (CENTER.latitude + CENTER.radius * Math.cos(angle)) * SEMICIRCLES),
      s32(1, (CENTER.longitude + CENTER.radius * Math.sin(angle)) * SEMICIRCLES),
      ...(bpm === null ? [] : [u8(3, bpm)]),
    ]);
  }
  for (let ms = startMs; ms < endMs; ms += LAP_MS) {
    const lapMs = Math.min(LAP_MS, endMs - ms);
    encoder.writeMessage(MESSAGE.lap, [
      u32(253, secondsOf(ms + lapMs)),
      u32(2, secondsOf(ms)),
      u32(7, lapMs),
      u32(9, (meters * 100 * lapMs) / (endMs - startMs)),
    ]);
  }
  encoder.writeMessage(MESSAGE.session, [
    u32(253, secondsOf(endMs)),
    u32(2, secondsOf(startMs)),
    u32(7, endMs - startMs),
    u32(8, endMs - startMs),
    u32(9, meters * 100),
    byte(5, sport),
  ]);
  return Buffer.from(encoder.close());
}

function secondsOf(ms: number): number {
  return Math.floor((ms - FIT_EPOCH_MS) / SECOND_MS);
}
