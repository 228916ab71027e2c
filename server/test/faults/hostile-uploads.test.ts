// A hundred small uploads that decompress to 20 MB each, at once, as the first calls of a service: memory stays bounded, and
// other clients are served.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { apiOf, openServiceHarness, type ReadyService, readRssMb } from '../support/service-process.ts';
import { createApi } from '../support/test-api.ts';

const UPLOADS = 100;
const UPLOADS_PER_PHONE = 2; // the maximum in progress per session
const MAX_GROWTH_MB = 100;
const LOOK_MS = 20; // between two checks: the reads stay within their rate limit

const VALUES = `{"samples":[[${'1,'.repeat(10_000_000)}1]]}`;
const TEXT = `{"samples":["${'a'.repeat(20_000_000)}"]}`;
const BOMBS = [
  { name: 'values, 2 kB as zstd', encoding: 'zstd', bytes: zstdCompressSync(VALUES) },
  { name: 'one long string, 2 kB as zstd', encoding: 'zstd', bytes: zstdCompressSync(TEXT) },
  { name: 'values, 20 kB as gzip', encoding: 'gzip', bytes: gzipSync(VALUES) },
] as const;

describe('compression bombs', () => {
  for (const bomb of BOMBS)
    it(`${UPLOADS} at once raise memory by less than ${MAX_GROWTH_MB} MB: ${bomb.name}`, async (t) => {
      const harness = await openServiceHarness(t);
      const service = await harness.start().ready();
      const phones = await Promise.all(Array.from({ length: UPLOADS / UPLOADS_PER_PHONE }, () => openPhone(service)));
      assert.ok(bomb.bytes.length < 25_000);
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
            phone.call('POST', '/v1/sdk/uploads', { raw: bomb.bytes, headers: { 'content-encoding': bomb.encoding } }),
          ),
        ),
      );
      isDone = true;
      await watch;
      t.diagnostic(`resident memory: ${atRest} MB idle, ${peak} MB at most`);
      assert.equal(answers.length, UPLOADS);
      for (const { status, body } of answers)
        assert.ok(status === 413 || (status === 503 && body.error === 'overloaded'), JSON.stringify(body));
      assert.ok(answers.some(({ status }) => status === 413));
      assert.ok(peak - atRest < MAX_GROWTH_MB, `${atRest} MB idle, ${peak} MB at most`);
    });
});

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
