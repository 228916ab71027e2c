// The connection to the database is lost at every statement and commit of an upload.
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { receiveUpload } from '../../src/features/intake/uploads/receive-upload.ts';
import { authenticateSdk } from '../../src/features/tenancy/sdk-sessions/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { failEverywhere } from '../support/failpoints.ts';
import { readStoredRows } from '../support/stored-rows.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone, type TestPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const service = await startTestService({ role: 'api', clock: createFrozenClock() });
after(() => service.stop());
const { services } = service.running;

const UNLIMITED = { countAddress: async () => {}, countCaller: async () => {} };
const WATCH = { provider: 'apple_health', id: 'watch', name: 'Watch', device_class: 'wrist' };

/** Every kind of data, over two days and the night between them. */
const FIRST = {
  upload_id: randomUUID(),
  source: WATCH,
  timezone: 'Europe/Berlin',
  samples: [
    { metric: 'heart_rate', start: '2026-02-27T08:00:00Z', value: 61 },
    { metric: 'heart_rate', start: '2026-02-28T08:00:00Z', value: 64 },
    { metric: 'steps', start: '2026-02-28T09:00:00Z', end: '2026-02-28T09:15:00Z', value: 900 },
    { metric: 'steps', start: '2026-02-27T22:50:00Z', end: '2026-02-27T23:20:00Z', value: 600 },
    { metric: 'unheard_of', start: '2026-02-28T09:00:00Z', value: 1 },
  ],
  daily: [{ metric: 'resting_heart_rate', date: '2026-02-28', value: 52 }],
  sleep: [{ id: 'night', start: '2026-02-27T22:00:00Z', end: '2026-02-28T06:00:00Z', heart_rate: 50 }],
  workouts: [
    { id: 'run', start: '2026-02-28T17:00:00Z', end: '2026-02-28T17:40:00Z', sport_type: 'running', distance_km: 7 },
  ],
};

/** Corrects and deletes what FIRST stored, and names another device class, which needs a rebuild. */
const CORRECTION = {
  upload_id: randomUUID(),
  source: { ...WATCH, name: 'Ring', device_class: 'ring' },
  samples: [{ metric: 'steps', start: '2026-02-28T09:00:00Z', end: '2026-02-28T09:15:00Z', value: 950 }],
  workouts: [{ id: 'run', start: '2026-02-28T17:00:00Z', end: '2026-02-28T17:50:00Z', sport_type: 'running' }],
  deleted: [
    { kind: 'sleep', id: 'night' },
    { kind: 'samples', metric: 'heart_rate', start: '2026-02-27T00:00:00Z', end: '2026-02-28T00:00:00Z' },
  ],
};

/** What a phone sends every few minutes. */
const FEW = {
  upload_id: randomUUID(),
  source: WATCH,
  samples: [{ metric: 'heart_rate', start: '2026-02-28T08:00:00Z', value: 64 }],
  daily: [{ metric: 'steps', date: '2026-02-28', value: 900 }],
};
const EARLIER = { upload_id: randomUUID(), source: WATCH, samples: FIRST.samples.slice(0, 1) };

type World = { readonly userId: string; readonly phone: TestPhone; answer: unknown };

async function openPhone(): Promise<World> {
  const { id } = await createUser(service.api(), { timezone: 'Europe/Berlin' });
  return { userId: id, phone: await startPhone(service, id, { installationId: 'phone' }), answer: null };
}

const pack = (body: object) => ({ bytes: Buffer.from(JSON.stringify(body)), encoding: 'identity' as const });

async function upload(world: World, db: Database, body: object): Promise<void> {
  const failing = { ...services, db };
  const caller = await authenticateSdk(failing, world.phone.accessToken, UNLIMITED);
  world.answer = await receiveUpload({ services: failing, caller }, pack(body));
}

/** In one group. Without raw payloads all of them reach it in the same round of the event loop. */
async function uploadTogether(worlds: readonly World[], db: Database, body: object): Promise<void> {
  const callers = await Promise.all(worlds.map(({ phone }) => authenticateSdk(services, phone.accessToken, UNLIMITED)));
  const failing = { ...services, db, settings: { ...services.settings, rawRetentionDays: 0 } };
  const answers = callers.map((caller) => receiveUpload({ services: failing, caller }, pack(body)));
  await Promise.allSettled(answers);
  for (const [index, world] of worlds.entries()) world.answer = await answers[index];
}

const read = async ({ userId, answer }: World) => ({ answer, rows: await readStoredRows(services.db, [userId]) });

describe('a phone that loses an answer and repeats its upload', () => {
  it('stores the first upload of a device once, with the same answer', (t) =>
    failEverywhere(t, {
      db: services.db,
      atLeast: { statements: 20, commits: 1 },
      prepare: openPhone,
      run: (world, db) => upload(world, db, FIRST),
      read,
    }));

  it('stores corrections and deletions once, with the same answer', (t) =>
    failEverywhere(t, {
      db: services.db,
      atLeast: { statements: 20, commits: 1 },
      async prepare() {
        const world = await openPhone();
        await upload(world, services.db, FIRST);
        return { ...world, answer: null };
      },
      run: (world, db) => upload(world, db, CORRECTION),
      read,
    }));

  it('stores the uploads of several phones in one transaction, each once and with the same answer', (t) =>
    failEverywhere(t, {
      db: services.db,
      atLeast: { statements: 15, commits: 1 },
      async prepare() {
        const worlds = [await openPhone(), await openPhone()];
        for (const world of worlds) await upload(world, services.db, EARLIER);
        return worlds.map((world) => ({ ...world, answer: null }));
      },
      run: (worlds, db) => uploadTogether(worlds, db, FEW),
      read: async (worlds) => ({
        answers: worlds.map(({ answer }) => answer),
        rows: await readStoredRows(
          services.db,
          worlds.map(({ userId }) => userId),
        ),
      }),
    }));
});
