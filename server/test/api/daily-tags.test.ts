// Reads daily values while uploads change them: an ETag must never name two bodies, or a client would keep a stale one by 304.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const service = await startTestService();
after(() => service.stop());
const api = service.api();

const UPLOADS = 15;
const QUERIES = {
  'a month': 'types=steps&from_date=2026-01-01&to_date=2026-01-31',
  'many months': 'types=steps&from_date=2025-07-01&to_date=2026-01-31',
  'with sources': 'types=steps&from_date=2026-01-01&to_date=2026-01-31&include_sources=true',
};

describe('ETags of daily values', () => {
  it('200 with an ETag that names one body, while uploads change the day', async () => {
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    const send = (value: number) =>
      phone.upload({ daily: [{ metric: 'steps', date: '2026-01-10', value, unit: 'count' }] });
    await send(1);
    let isDone = false;
    const uploading = (async () => {
      for (let value = 2; value <= UPLOADS; value += 1) await send(value);
    })().finally(() => {
      isDone = true;
    });
    const bodies = new Map<string, Set<string>>();
    const read = async (query: string) => {
      const { status, text, headers } = await api.get(`/v1/users/${id}/daily?${query}`, {
        headers: { 'api-form': '2' },
      });
      assert.equal(status, 200, text);
      bodies.getOrInsertComputed(headers.get('etag') ?? '', () => new Set()).add(text);
    };
    await Promise.all([
      uploading,
      ...Object.values(QUERIES).map(async (query) => {
        while (!isDone) await read(query);
        await read(query);
      }),
    ]);
    assert.ok(bodies.size > Object.keys(QUERIES).length, 'reads saw several revisions');
    const ambiguous = [...bodies].filter(([, texts]) => texts.size > 1).map(([tag]) => tag);
    assert.deepEqual(ambiguous, []);
  });
});
