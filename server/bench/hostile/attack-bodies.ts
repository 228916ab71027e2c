// Attacks with request bodies: compression bombs, too many keys, large uploads, bodies that never end.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { type Attack, type AttackOptions, type AttackTarget, repeatCalls } from './attack.ts';

const BOMBS_AT_ONCE = 100;
const UPLOADS_AT_ONCE = 16;
const CALLERS = 32;
const UNFINISHED = 400;
const UNFINISHED_BYTES = 1_048_576;
const SAMPLES = 150_000;
const STEPS_MS = [1_000, 60_000, 2_880_000]; // samples of two days, a quarter and thirteen years
const LARGE_BODIES = 12; // each phone sends each body, so few uploads are repetitions
const START_MS = Date.UTC(2026, 0, 1);
const LONGEST_WORKOUT_MS = 7 * DAY_MS;
const PACKED = { 'content-encoding': 'zstd', 'content-type': 'application/json' };

const envelope = () => `"upload_id":"${randomUUID()}","source":{"provider":"apple_health","id":"watch"}`;
const manyKeys = (count: number) => Array.from({ length: count }, (_, index) => `"key${index}":1`).join(',');

/** Each is 2 kB compressed and 20 MB decompressed. */
const packedBombs: Attack = (target, { seconds, callers = BOMBS_AT_ONCE }) =>
  upload(
    target,
    { seconds, callers },
    makeOnce('bombs', () => [zstdCompressSync(`{${envelope()},"samples":[[${'1,'.repeat(10_000_000)}1]]}`)]),
  );

const packedKeys: Attack = (target, { seconds, callers = UPLOADS_AT_ONCE }) =>
  upload(
    target,
    { seconds, callers },
    makeOnce('keys', () => [zstdCompressSync(`{${envelope()},${manyKeys(1_300_000)}}`)]),
  );

/** Valid uploads of 150,000 samples each, one per second, per minute, or spread over many days. */
const largeUploads: Attack = (target, { seconds, callers = UPLOADS_AT_ONCE }) =>
  upload(target, { seconds, callers }, makeOnce('large uploads', makeLargeUploads));

function makeLargeUploads(): Buffer[] {
  return Array.from({ length: LARGE_BODIES }, (_, body) => {
    const stepMs = STEPS_MS[body % STEPS_MS.length] ?? 1_000;
    const samples = Array.from({ length: SAMPLES }, (_, index) => ({
      metric: 'heart_rate',
      start: new Date(START_MS - body * 1_000 - index * stepMs).toISOString(),
      value: 50 + (index % 60),
    }));
    return zstdCompressSync(`{${envelope()},"samples":${JSON.stringify(samples)}}`);
  });
}

const manyNights: Attack = (target, { seconds, callers = UPLOADS_AT_ONCE }) =>
  upload(target, { seconds, callers }, makeOnce('nights', makeNights));

function makeNights(): Buffer[] {
  const at = (ms: number) => new Date(START_MS + ms).toISOString();
  const sleep = Array.from({ length: 2_000 }, (_, night) => ({
    id: `night-${night}`,
    start: at(-night * DAY_MS),
    end: at(-night * DAY_MS + 8 * HOUR_MS),
    stages: Array.from({ length: 40 }, (_, index) => ({
      stage: ['light', 'deep', 'rem'][index % 3],
      start: at(-night * DAY_MS + index * 12 * MINUTE_MS),
      end: at(-night * DAY_MS + (index + 1) * 12 * MINUTE_MS),
    })),
  }));
  return [zstdCompressSync(`{${envelope()},"sleep":${JSON.stringify(sleep)}}`)];
}

/** The maximum number of records per day for ten days per upload; each record overlaps the next, across all uploads. */
const denseNights: Attack = (target, { seconds, callers = UPLOADS_AT_ONCE }) =>
  upload(target, { seconds, callers }, makeOnce('dense nights', makeDenseNights));

function makeDenseNights(): Buffer[] {
  return Array.from({ length: LARGE_BODIES }, (_, body) => {
    const sleep = Array.from({ length: 2_000 }, (_, index) => ({
      id: `dense-${body}-${index}`,
      start: new Date(START_MS - (body * 2_000 + index) * 432_000).toISOString(),
      end: new Date(START_MS - (body * 2_000 + index) * 432_000 + 43_200_000 + index * 500).toISOString(),
      asleep_minutes: 60,
      heart_rate: 50,
    }));
    return zstdCompressSync(`{${envelope()},"sleep":${JSON.stringify(sleep)}}`);
  });
}

/** The same with workouts of the maximum length, so that each overlaps those of fourteen days. */
const denseWorkouts: Attack = (target, { seconds, callers = UPLOADS_AT_ONCE }) =>
  upload(target, { seconds, callers }, makeOnce('dense workouts', makeDenseWorkouts));

function makeDenseWorkouts(): Buffer[] {
  return Array.from({ length: LARGE_BODIES }, (_, body) => {
    const workouts = Array.from({ length: 2_000 }, (_, index) => {
      const startMs = START_MS - (body * 2_000 + index) * 432_000;
      const endMs = startMs + LONGEST_WORKOUT_MS - index * 500;
      return {
        id: `dense-${body}-${index}`,
        sport_type: 'hiking',
        start: new Date(startMs).toISOString(),
        end: new Date(endMs).toISOString(),
      };
    });
    return zstdCompressSync(`{${envelope()},"workouts":${JSON.stringify(workouts)}}`);
  });
}

/** One record that fills an upload: a seven-day workout with a heart rate every two seconds. */
const longWorkouts: Attack = (target, { seconds, callers = UPLOADS_AT_ONCE }) =>
  upload(target, { seconds, callers }, makeOnce('long workouts', makeLongWorkouts));

function makeLongWorkouts(): Buffer[] {
  return Array.from({ length: LARGE_BODIES }, (_, body) => {
    const startMs = START_MS - body * LONGEST_WORKOUT_MS;
    const at = (ms: number) => new Date(startMs + ms).toISOString();
    const workout = {
      id: `long-${body}`,
      sport_type: 'hiking',
      start: at(0),
      end: at(LONGEST_WORKOUT_MS),
      heart_rate: {
        samples: Array.from({ length: LONGEST_WORKOUT_MS / 2_000 }, (_, index) => ({
          timestamp: at(index * 2_000),
          bpm: 90 + (index % 60),
        })),
      },
    };
    return zstdCompressSync(`{${envelope()},"workouts":[${JSON.stringify(workout)}]}`);
  });
}

const metadataKeys: Attack = (target, { seconds, callers = CALLERS }) => {
  const body = Buffer.from(`{"reference_id":"x","metadata":{${manyKeys(60_000)}}}`);
  return repeatCalls(target, { seconds, callers }, () => ({
    method: 'POST',
    path: '/v1/users',
    key: target.liveKey,
    body,
  }));
};

const anonymousKeys: Attack = (target, { seconds, callers = CALLERS }) => {
  const body = Buffer.from(`{${manyKeys(88_000)}}`);
  return repeatCalls(target, { seconds, callers }, () => ({
    method: 'POST',
    path: '/v1/sdk/sessions/exchange',
    key: null,
    body,
  }));
};

/** Sends a few bytes at a time and never ends the body; starts again when the service closes the connection. */
const slowBodies: Attack = async ({ url }, { seconds, callers = UNFINISHED }) => {
  const statuses: Record<string, number> = {};
  const count = (what: string) => {
    statuses[what] = (statuses[what] ?? 0) + 1;
  };
  const endMs = performance.now() + seconds * 1_000;
  const { hostname, port } = new URL(url);
  const dribble = async () => {
    while (performance.now() < endMs) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined).on('data', (data) => count(String(data).slice(9, 12)));
      await once(socket, 'connect');
      socket.write(
        `POST /v1/sdk/sessions/exchange HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${UNFINISHED_BYTES}\r\n\r\n`,
      );
      while (!socket.closed && performance.now() < endMs) await writeLittle(socket);
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: callers }, dribble));
  return { statuses };
};

async function writeLittle(socket: Socket): Promise<void> {
  if (socket.writable) socket.write(' ');
  await delay(500);
}

export const BODY_ATTACKS: Readonly<Record<string, Attack>> = {
  'packed bombs': packedBombs,
  'packed keys': packedKeys,
  'large uploads': largeUploads,
  'many nights': manyNights,
  'dense nights': denseNights,
  'dense workouts': denseWorkouts,
  'long workouts': longWorkouts,
  'metadata keys': metadataKeys,
  'keys without a credential': anonymousKeys,
  'slow bodies': slowBodies,
};

function upload(target: AttackTarget, options: Required<AttackOptions>, bodies: readonly Buffer[]) {
  return repeatCalls(target, options, (count) => ({
    method: 'POST',
    path: '/v1/sdk/uploads',
    key: target.sdkTokens[count % target.sdkTokens.length] ?? '',
    body: bodies[count % bodies.length],
    headers: PACKED,
  }));
}

const made = new Map<string, readonly Buffer[]>();

/** Building bodies takes seconds, so an attack of zero seconds builds them before the measurement starts. */
function makeOnce(name: string, make: () => Buffer[]): readonly Buffer[] {
  return made.getOrInsertComputed(name, make);
}
