// A hundred uploads of 2 kB that unpack to 20 MB each, at once: memory stays where it was, and others are served.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { apiOf, openServiceHarness, type ReadyService, readRssMb } from '../support/service-process.ts';
import { createApi, type TestApi } from '../support/test-api.ts';

const UPLOADS = 100;
const UPLOADS_PER_PHONE = 2; // as many as a session may have in work
const MAX_GROWTH_MB = 100;
const DAY_SAMPLES = 1_440; // one a minute: large enough to be read in a thread
const LOOK_MS = 20; // between two looks: the reads stay within their rate

describe('packed bombs', () => {
  it(`${UPLOADS} at once raise the memory of the service by less than ${MAX_GROWTH_MB} MB`, async (t) => {
    const harness = await openServiceHarness(t);
    const service = await harness.start().ready();
    const phones = await Promise.all(Array.from({ length: UPLOADS / UPLOADS_PER_PHONE }, () => openPhone(service)));
    const bomb = zstdCompressSync(`{"upload_id":"${randomUUID()}","samples":[[${'1,'.repeat(10_000_000)}1]]}`);
    assert.ok(bomb.length < 4_096);
    await useOrdinarily(service, phones);
    const atRest = await readRssMb(service.pid);
    let peak = atRest;
    let isDone = false;
    const watch = (async () => {
      while (!isDone) {
        peak = Math.max(peak, await readRssMb(service.pid));
        assert.equal((await apiOf(service).get('/v1/users')).status, 200);
        await delay(LOOK_MS);
      }
    })();
    const answers = await Promise.all(
      phones.flatMap((phone) =>
        Array.from({ length: UPLOADS_PER_PHONE }, () =>
          phone.call('POST', '/v1/sdk/uploads', { raw: bomb, headers: { 'content-encoding': 'zstd' } }),
        ),
      ),
    );
    isDone = true;
    await watch;
    t.diagnostic(`resident memory: ${atRest} MB at rest, ${peak} MB at most`);
    assert.equal(answers.length, UPLOADS);
    for (const { status, body } of answers)
      assert.ok(status === 413 || (status === 503 && body.error === 'overloaded'), JSON.stringify(body));
    assert.ok(answers.some(({ status }) => status === 413));
    assert.ok(peak - atRest < MAX_GROWTH_MB, `${atRest} MB at rest, ${peak} MB at most`);
  });
});

/** So that what every service in use takes is not counted as the attack's. */
async function useOrdinarily(service: ReadyService, phones: readonly TestApi[]): Promise<void> {
  const samples = Array.from({ length: DAY_SAMPLES }, (_, index) => ({
    metric: 'heart_rate',
    start: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    value: 60,
  }));
  for (const phone of phones) {
    const source = { provider: 'apple_health', id: 'watch' };
    const body = { upload_id: randomUUID(), source, samples };
    assert.equal((await phone.call('POST', '/v1/sdk/uploads', { body })).status, 200);
    assert.equal((await apiOf(service).get('/v1/users')).status, 200);
  }
}

async function openPhone(service: ReadyService) {
  const api = apiOf(service);
  const user = await api.post('/v1/users', { reference_id: randomUUID() });
  const session = await api.post(
    `/v1/users/${user.body.data.id}/sdk-sessions`,
    { installation_id: randomUUID(), platform: 'ios' },
    { headers: { 'idempotency-key': randomUUID() } },
  );
  const exchanged = await api.post('/v1/sdk/sessions/exchange', { client_token: session.body.client_token });
  return createApi(service.url, exchanged.body.access_token);
}
