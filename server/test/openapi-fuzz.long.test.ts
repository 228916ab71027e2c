// Random requests for every operation of the published document: no internal error, no request without a response, and every
// response as documented. FAULT_SEED repeats a run, FUZZ_REQUESTS sets its length.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describePublicApi } from '../src/api-document.ts';
import { createWorld } from './fuzz/create-world.ts';
import type { FuzzWorld } from './fuzz/fuzz-world.ts';
import type { PublishedOperation } from './fuzz/generate-request.ts';
import type { Operation } from './fuzz/json-schema.ts';
import { type FuzzReport, runFuzz } from './fuzz/run-fuzz.ts';
import { startPhone } from './support/test-phone.ts';
import { startTestService, type TestService } from './support/test-service.ts';
import { createUser } from './support/test-users.ts';
import { startSink } from './support/webhook-sink.ts';

const SEED = Number(process.env.FAULT_SEED ?? 1);
/** A few seconds; `npm run prove` sends more, also in .ci/run. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 500);
const CONCURRENCY = 16;
/** With fewer requests an operation may never succeed by chance. */
const ENOUGH_FOR_SUCCESS = 20_000;
/** Requests without parameters are rarer. */
const WEIGHT = 5;
const LAST_LOGGED = 20;

it(`answers ${REQUESTS} random requests as documented, and a normal journey afterwards`, async (t) => {
  const sink = await startSink();
  const printed: string[] = [];
  const environment = { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1', TRIBUTARY_BACKFILL_DAYS: '1' };
  const logged: string[] = []; // says why a request got a 503
  const service = await startTestService({ environment, printedLines: printed, logLines: logged, logLevel: 'warn' });
  t.after(async () => {
    await service.stop();
    await sink.close();
  });
  const world = await createWorld(service, { receiver: sink.url(''), printed });
  const startedMs = performance.now();
  const options = { seed: SEED, requests: REQUESTS, concurrency: CONCURRENCY };
  const report = await runFuzz(service.url, listOperations(), world, options);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  t.diagnostic(`FAULT_SEED=${SEED}; ${report.requests} requests in ${seconds} s; ${summarize(report)}`);
  const found = [...report.failures, ...logged.slice(-LAST_LOGGED)].join('\n');
  assert.deepEqual(report.failures, [], `FAULT_SEED=${SEED}\n${found}`);
  if (REQUESTS >= ENOUGH_FOR_SUCCESS) requireSuccesses(report);
  await followJourney(service, world);
});

function listOperations(): PublishedOperation[] {
  const document = describePublicApi() as {
    paths: Record<string, Record<string, Operation>>;
    components: Components;
  };
  const paths = JSON.stringify(document.paths);
  const all = Object.entries(JSON.parse(paths, inline(document.components)) as typeof document.paths).flatMap(
    ([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        operation,
      })),
  );
  return all.flatMap((each) => Array.from({ length: each.path.startsWith('/v1/') ? WEIGHT : 1 }, () => each));
}

type Components = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** Puts each component in the place of its references, with its name as title. */
function inline(components: Components) {
  return function revive(_key: string, value: unknown): unknown {
    const { $ref, ...rest } = (value ?? {}) as { $ref?: string };
    if ($ref === undefined) return value;
    const [kind = '', name = ''] = $ref.split('/').slice(-2);
    return { title: name, ...JSON.parse(JSON.stringify(components[kind]?.[name]), revive), ...rest };
  };
}

function summarize({ counts }: FuzzReport): string {
  const byStatus = new Map<number, number>();
  for (const statuses of counts.values())
    for (const [status, count] of statuses) byStatus.set(status, (byStatus.get(status) ?? 0) + count);
  const parts = [...byStatus].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  return `${counts.size} operations; ${parts.join(', ')}`;
}

/** A run that only collects refusals would prove little. */
function requireSuccesses({ counts }: FuzzReport): void {
  const without = [...new Set(listOperations().map(({ name }) => name))].filter(
    (name) => ![...(counts.get(name)?.keys() ?? [])].some((status) => status < 300),
  );
  assert.deepEqual(without, [], 'operations that never succeeded');
}

async function followJourney(service: TestService, world: FuzzWorld): Promise<void> {
  for (const { key, users } of world.environments)
    for (const { id } of users.filter((user) => user.isKept)) {
      const change = { metrics: { steps: { method: 'max' } } };
      const preview = await service.api(key).patch(`/v1/users/${id}/consolidation?preview=true`, change);
      assert.equal(preview.status, 200, preview.text); // needs the account's share and the user's mutex
    }
  const [live] = world.environments;
  const api = service.api(live?.key);
  const { id } = await createUser(api);
  const phone = await startPhone(service, id, live === undefined ? {} : { key: live.key });
  await phone.upload({ daily: [{ date: '2026-01-31', metric: 'steps', value: 4_321 }] });
  const read = await api.get(`/v1/users/${id}/daily?types=steps&from_date=2026-01-31&to_date=2026-01-31`);
  assert.match(read.text, /4321/);
  assert.equal((await api.delete(`/v1/users/${id}`)).status, 202);
}
