// Runs the logic of examples/expo with simulated bridges, its backend and a service, and checks its types.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { startTestService, type TestService } from '../../../server/test/support/test-service.ts';
import { waitUntil } from '../../../server/test/support/wait-until.ts';
import { memoryStorage } from '../src/storage.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const EXAMPLE = join(ROOT, 'examples/expo');
const LIMIT_MS = 60_000;
const TODAY = new Date().toISOString().slice(0, 10);
const [START, END] = [`${TODAY}T00:00:00.000Z`, `${TODAY}T00:01:00.000Z`];

/** With a live key: users of the sandbox have simulated values already. */
async function startBackend(t: TestContext, service: TestService): Promise<string> {
  const variables = {
    TRIBUTARY_URL: service.url,
    TRIBUTARY_API_KEY: service.keys.live,
    APP_URL: 'https://app.example.com',
  };
  const env = { ...process.env, ...variables, PORT: '0' };
  const child = spawn(process.execPath, [join(EXAMPLE, 'start-backend.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'close');
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return waitUntil('the backend', () => output.match(/at (http\S+)/)?.[1], LIMIT_MS);
}

/** 400 steps, once: later queries return nothing new. */
const healthKit = {
  requestAuthorization: async () => true,
  queryQuantitySamplesWithAnchor: async (type: string, { anchor }: { anchor?: string }) => ({
    newAnchor: 'a1',
    deletedSamples: [],
    samples:
      anchor === undefined && type.endsWith('StepCount')
        ? [
            {
              uuid: '5f2f0f3c-0000-4000-8000-000000000001',
              quantityType: type,
              quantity: 400,
              unit: 'count',
              startDate: new Date(START),
              endDate: new Date(END),
              sourceRevision: {
                source: { name: 'iPhone', bundleIdentifier: 'com.apple.health.1' },
                productType: 'iPhone17,1',
                operatingSystemVersion: '19.1',
              },
            },
          ]
        : [],
  }),
};

const record = {
  startTime: START,
  endTime: END,
  count: 500,
  metadata: { id: 'r1', dataOrigin: 'com.example.watch', lastModifiedTime: END, recordingMethod: 2 },
};
const healthConnect = {
  initialize: async () => true,
  requestPermission: async () => [],
  readRecords: async (type: string) => ({ records: type === 'Steps' ? [record] : [] }),
  getChanges: async ({ changesToken }: { changesToken?: string }) => ({
    upsertionChanges: [],
    deletionChanges: [],
    nextChangesToken: changesToken ?? 't1',
    changesTokenExpired: false,
    hasMore: false,
  }),
};

it('examples/expo signs in, uploads from both platforms, shows a day and signs out', async (t) => {
  const service = await startTestService();
  t.after(() => service.stop());
  const backendUrl = await startBackend(t, service);
  const load = (name: string) => import(join(EXAMPLE, 'src', name));
  const { createHealthApp } = await load('health-app.ts');
  const platforms = [
    { health: (await load('healthkit.ts')).openHealthKit(healthKit), steps: 400 },
    { health: (await load('health-connect.ts')).openHealthConnect(healthConnect), steps: 500 },
  ];
  for (const { health, steps } of platforms) {
    const storage = memoryStorage();
    const states: {
      pending: number;
      lastUpload: string | null;
      message: string;
      isSignedIn: boolean;
      day: Record<string, number | null>;
    }[] = [];
    const options = { backendUrl, serviceUrl: service.url, storage, health };
    const app = createHealthApp({ ...options, onChange: (state: (typeof states)[number]) => states.push(state) });
    await app.open();
    assert.equal(states.at(-1)?.isSignedIn, false);
    await app.signIn(`expo-${health.platform}`);
    await app.sync();
    assert.ok(
      states.some(({ pending }) => pending === 1),
      'the queue was shown',
    );
    assert.equal(states.at(-1)?.pending, 0);
    assert.match(states.at(-1)?.lastUpload ?? '', /^\d{4}-/);
    await app.readDay(TODAY);
    assert.equal(states.at(-1)?.day.steps, steps);
    await app.sync();
    assert.equal(states.at(-1)?.pending, 0);
    assert.match(await app.connect(), /^http/);
    await app.signOut();
    assert.deepEqual(await storage.keys(''), []);
    await assert.rejects(app.readDay(TODAY), /401/);
  }
});

it('examples/expo has no type errors', async () => {
  await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', EXAMPLE]).catch(
    ({ stdout }: { stdout: string }) => assert.fail(stdout),
  );
});
