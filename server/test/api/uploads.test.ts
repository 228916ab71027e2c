// Tests POST /v1/sdk/uploads and the reads after it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { parseScrape, seriesValue } from '../support/scrape.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { readStoredEvents } from '../support/test-events.ts';
import { IPHONE, startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const clock = createFrozenClock(new Date('2026-03-10T12:00:00Z'));
const service = await startTestService({ clock });
after(() => service.stop());
const api = service.api();

const SOURCE = { provider: 'apple_health', id: 'watch-1', device_class: 'wrist' };
const steps = (start: string, end: string, value: number) => ({ metric: 'steps', start, end, value });

async function readDaily(userId: string, types: string, from = '2026-03-01', to = '2026-03-10') {
  const answer = await api.get(`/v1/users/${userId}/daily?types=${types}&from_date=${from}&to_date=${to}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

describe('POST /v1/sdk/uploads', () => {
  it('200 stores the upload: durable and readable when the call returns', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const answer = await phone.upload({
      samples: [
        steps('2026-03-09T10:00:00Z', '2026-03-09T10:05:00Z', 400),
        steps('2026-03-09T10:05:00Z', '2026-03-09T10:10:00Z', 300),
        { metric: 'heart_rate', start: '2026-03-09T10:00:00Z', value: 60 },
        { metric: 'heart_rate', start: '2026-03-09T10:01:00Z', value: 80 },
      ],
      daily: [{ date: '2026-03-09', metric: 'resting_heart_rate', value: 52 }],
    });
    const { upload_id, ...counts } = answer;
    assert.match(upload_id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(counts, { accepted: 5, duplicates: 0, deleted: 0, rejected: [], rejected_count: 0 });
    const { series } = await readDaily(user.id, 'steps,heart_rate,heart_rate_max,resting_heart_rate', '2026-03-08');
    assert.deepEqual(series, {
      steps: [null, 700, null],
      heart_rate: [null, 70, null],
      heart_rate_max: [null, 80, null],
      resting_heart_rate: [null, 52, null],
    });
  });

  it('200 counts an upload as rejected only if none of its items was used', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const countRejected = async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return seriesValue(parseScrape(text), 'tributary_uploads_total', { outcome: 'rejected' });
    };
    const valid = steps('2026-03-09T10:00:00Z', '2026-03-09T10:05:00Z', 400);
    const invalid = { ...valid, start: 'never' };
    await phone.upload({ samples: [valid] });
    const rejected = (await countRejected()) ?? 0;
    const repeated = await phone.upload({ samples: [valid, invalid] });
    assert.deepEqual([repeated.accepted, repeated.duplicates, repeated.rejected_count], [0, 1, 1]);
    const deleting = await phone.upload({
      samples: [invalid],
      deleted: [{ kind: 'samples', metric: 'steps', start: valid.start, end: valid.end }],
    });
    assert.deepEqual([deleting.accepted, deleting.deleted, deleting.rejected_count], [0, 1, 1]);
    assert.equal(await countRejected(), rejected);
    await phone.upload({ samples: [invalid] });
    assert.equal(await countRejected(), rejected + 1);
  });

  it('200 for 20 uploads of a phone at a time, also of 200 kB; all of them are stored', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const minute = (index: number) => new Date(Date.UTC(2026, 2, 9, 0, index)).toISOString();
    const padding = ' '.repeat(200_000);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const body = {
          upload_id: randomUUID(),
          source: SOURCE,
          samples: [steps(minute(index), minute(index + 1), 10)],
        };
        const raw = JSON.stringify(body) + (index % 2 === 0 ? padding : '');
        return phone.api.call('POST', '/v1/sdk/uploads', { raw });
      }),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    );
    assert.deepEqual((await readDaily(user.id, 'steps', '2026-03-09', '2026-03-09')).series, { steps: [200] });
  });

  it('200 accepts 200 sleeps and 200 workouts per UTC day, and counts the rest as too dense', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const at = (ms: number) => new Date(Date.UTC(2026, 2, 8) + ms).toISOString();
    const sessions = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ id: `s${i}`, start: at(i * 1_000), end: at(7_200_000 + i * 1_000) }));
    const workouts = sessions(201).map((one) => ({ ...one, sport_type: 'running' }));
    const { accepted, rejected, rejected_count } = await phone.upload({ sleep: sessions(250), workouts });
    assert.deepEqual([accepted, rejected_count], [400, 51]);
    assert.deepEqual(
      rejected.map(({ path, error }: { path: string; error: string }) => [path, error]),
      [
        ['sleep', 'too_dense'],
        ['workouts', 'too_dense'],
      ],
    );
    assert.match(rejected[0].message, /^50 sleeps would exceed 200/);
  });

  it('200 with the same response for the same upload_id and body, 409 for another body', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const body = {
      upload_id: randomUUID(),
      source: SOURCE,
      samples: [steps('2026-03-09T10:00:00Z', '2026-03-09T10:05:00Z', 400)],
    };
    const first = await phone.send(body);
    assert.equal(first.body.accepted, 1);
    assert.deepEqual((await phone.send(body)).body, first.body);
    const other = await phone.send({ ...body, samples: [] });
    assert.deepEqual([other.status, other.body.error], [409, 'upload_conflict']);
    const again = await phone.upload({ source: SOURCE, samples: body.samples });
    assert.deepEqual([again.accepted, again.duplicates], [0, 1]);
  });

  it('200 for gzip and zstd, 400 for damaged bodies, 415 for another encoding', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const pack = () =>
      JSON.stringify({
        upload_id: randomUUID(),
        source: SOURCE,
        samples: [steps('2026-03-09T10:00:00Z', '2026-03-09T10:05:00Z', 7)],
      });
    const post = (raw: Buffer<ArrayBuffer>, coding: string) =>
      phone.api.call('POST', '/v1/sdk/uploads', { raw, headers: { 'content-encoding': coding } });
    assert.equal((await post(gzipSync(pack()), 'gzip')).status, 200);
    assert.equal((await post(zstdCompressSync(pack()), 'zstd')).status, 200);
    assert.equal((await post(gzipSync(pack()).subarray(0, 40), 'gzip')).status, 400);
    assert.equal((await post(Buffer.from(pack()), 'br')).status, 415);
  });

  it('a correction replaces, a deletion removes, and the days follow', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const morning = steps('2026-03-09T08:00:00Z', '2026-03-09T08:10:00Z', 500);
    await phone.upload({ samples: [morning, steps('2026-03-09T09:00:00Z', '2026-03-09T09:10:00Z', 100)] });
    const corrected = await phone.upload({ samples: [{ ...morning, value: 450 }] });
    assert.deepEqual([corrected.accepted, corrected.duplicates], [1, 0]);
    assert.deepEqual((await readDaily(user.id, 'steps', '2026-03-09', '2026-03-09')).series.steps, [550]);
    const deleted = await phone.upload({
      deleted: [{ kind: 'samples', metric: 'steps', start: '2026-03-09T08:00:00Z', end: '2026-03-09T09:00:00Z' }],
    });
    assert.equal(deleted.deleted, 2);
    assert.deepEqual((await readDaily(user.id, 'steps', '2026-03-09', '2026-03-09')).series.steps, [null]);
  });

  it('a watch and the phone in the pocket give the true day', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    await phone.upload({ samples: [steps('2026-03-09T08:00:00Z', '2026-03-09T08:15:00Z', 1000)] });
    await phone.upload({
      source: IPHONE,
      samples: [
        steps('2026-03-09T08:00:00Z', '2026-03-09T08:15:00Z', 900),
        steps('2026-03-09T18:00:00Z', '2026-03-09T18:15:00Z', 300),
      ],
    });
    assert.deepEqual((await readDaily(user.id, 'steps', '2026-03-09', '2026-03-09')).series.steps, [1300]);
    const { body } = await api.get(
      `/v1/users/${user.id}/daily?metrics=steps&start_date=2026-03-09&end_date=2026-03-09&include_sources=true`,
    );
    const { data: devices } = (await api.get(`/v1/users/${user.id}/devices`)).body;
    assert.deepEqual(body.data[0].source, {
      provider: 'apple_health',
      device_id: devices[0].id,
      original_value: 1000,
      original_unit: 'count',
    });
    assert.deepEqual(
      body.data[0].sources.map((source: { original_value: number }) => source.original_value),
      [1000, 1200],
    );
  });

  it('lists every invalid item, counts them, and stores the rest', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id, { scopes: ['activity'] });
    const answer = await phone.upload({
      samples: [
        steps('2026-03-09T08:00:00Z', '2026-03-09T08:15:00Z', 10),
        { metric: 'heart_rate', start: '2026-03-09T08:00:00Z', value: 60 },
        { metric: 'nonsense', start: '2026-03-09T08:00:00Z', value: 60 },
        steps('2026-03-12T08:00:00Z', '2026-03-12T08:15:00Z', 10),
      ],
    });
    assert.equal(answer.accepted, 1);
    assert.deepEqual(
      answer.rejected.map((reject: { path: string; error: string }) => [reject.path, reject.error]),
      [
        ['samples[1].metric', 'out_of_scope'],
        ['samples[2].metric', 'unknown_metric'],
        ['samples[3].start', 'in_future'],
      ],
    );
    assert.equal(answer.rejected_count, 3);
  });

  it('400 for a body of the wrong shape, and for a source that the session does not have', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    for (const body of [
      {},
      [],
      { upload_id: 'x', source: SOURCE },
      { upload_id: randomUUID(), source: { provider: 'health_connect' } },
    ]) {
      const answer = await phone.send(body);
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_body'], JSON.stringify(body));
    }
    assert.equal(
      (
        await phone.api.call('POST', '/v1/sdk/uploads', {
          raw: 'x'.repeat(10),
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
      415,
    );
  });

  it('creates the device with its first upload, emits an event, and updates last_sync_at', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    await phone.upload({ samples: [] });
    const empty = (await api.get(`/v1/users/${user.id}/devices`)).body.data;
    assert.deepEqual([empty.length, empty[0].last_sync_at], [1, null], 'nothing was received');
    await phone.upload({ samples: [steps('2026-03-09T10:00:00Z', '2026-03-09T10:05:00Z', 1)] });
    const { data } = (await api.get(`/v1/users/${user.id}/devices`)).body;
    assert.deepEqual(
      data.map(({ id, ...device }: { id: string }) => device),
      [
        {
          provider: 'apple_health',
          status: 'active',
          connected_at: '2026-03-10T12:00:00Z',
          last_sync_at: '2026-03-10T12:00:00Z',
        },
      ],
    );
    const detail = await api.get(`/v1/users/${user.id}`, { headers: { 'api-form': '2' } });
    assert.equal(detail.body.last_sync_at, '2026-03-10T12:00:00Z');
    const sessions = await api.get(`/v1/users/${user.id}/sdk-sessions`);
    assert.equal(sessions.body.data[0].last_upload_at, '2026-03-10T12:00:00Z');
    const events = await readStoredEvents(service.running.services.db, user.id);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['device.connected', 'data.updated'],
    );
  });

  it('a sample with the same start and another value is accepted and then replaced; an equal one is a duplicate', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const at = (value: number) => ({ metric: 'heart_rate', start: '2026-03-09T10:00:00Z', value });
    const answer = await phone.upload({ samples: [at(60), at(70), at(70)] });
    assert.deepEqual([answer.accepted, answer.duplicates], [2, 1]);
  });

  it('a session without an id is deleted by its start, however its offset is written', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    await phone.upload({ sleep: [{ start: '2026-03-08T23:00:00+01:00', end: '2026-03-09T07:00:00+01:00' }] });
    const answer = await phone.upload({ deleted: [{ kind: 'sleep', id: '2026-03-08T22:00:00.000Z' }] });
    assert.equal(answer.deleted, 1);
  });

  it('deletes the response to an upload with its device', async () => {
    const user = await createUser(api);
    const body = {
      upload_id: randomUUID(),
      source: SOURCE,
      samples: [steps('2026-03-09T10:00:00Z', '2026-03-09T10:05:00Z', 400)],
    };
    const phone = await startPhone(service, user.id);
    assert.equal((await phone.send(body)).body.accepted, 1);
    const [device] = (await api.get(`/v1/users/${user.id}/devices`)).body.data;
    assert.equal((await api.delete(`/v1/users/${user.id}/devices/${device.id}`)).status, 204);
    const barred = await phone.send(body);
    assert.deepEqual([barred.body.accepted, barred.body.rejected[0].error], [0, 'device_disconnected']);
    clock.advance(1_000);
    const fresh = await startPhone(service, user.id);
    assert.equal((await fresh.send(body)).body.accepted, 1);
    assert.deepEqual((await readDaily(user.id, 'steps', '2026-03-09', '2026-03-09')).series.steps, [400]);
  });

  it('a renamed source has its new name at once, whatever a client has cached', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const workout = { sport_type: 'running', start: '2026-03-09T10:00:00Z', end: '2026-03-09T11:00:00Z' };
    await phone.upload({ source: SOURCE, workouts: [workout] });
    const path = `/v1/users/${user.id}/workouts?from_date=2026-03-09&include_sources=true&unit_system=metric`;
    const first = await api.get(path);
    assert.equal(first.body.data[0].source_detail.name, null);
    const tag = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } };
    assert.equal((await api.get(path, tag)).status, 304);
    await phone.upload({ source: { ...SOURCE, name: 'Ada’s watch' }, workouts: [workout] });
    assert.equal((await api.get(path, tag)).body.data[0].source_detail.name, 'Ada’s watch');
    const star = { headers: { 'if-none-match': '*' } };
    assert.equal((await api.get(`/v1/users/${user.id}/workouts/${randomUUID()}`, star)).status, 404);
    assert.equal((await api.get(`/v1/users/${user.id}/workouts/${first.body.data[0].id}`, star)).status, 304);
  });

  it('many uploads of one user delay no other user', async () => {
    const [busy, other] = [await createUser(api), await createUser(api)];
    const phones = await Promise.all(Array.from({ length: 20 }, () => startPhone(service, busy.id)));
    const { db } = service.running.services;
    const release = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const holder = db.transaction(async (tx) => {
      await tx.query('select 1 from users where id = $1 for update', [busy.id]);
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const uploads = [...phones, ...phones].map((phone, index) =>
      phone.upload({ samples: [{ metric: 'heart_rate', start: `2026-03-09T10:00:${10 + index}Z`, value: 60 }] }),
    );
    for (let read = 0; read < 20; read += 1)
      assert.deepEqual((await readDaily(other.id, 'steps')).series.steps[0], null);
    release.resolve();
    await holder;
    const answers = await Promise.all(uploads);
    assert.deepEqual(new Set(answers.map(({ accepted }) => accepted)), new Set([1]));
  });
});
