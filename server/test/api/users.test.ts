// Tests creating, reading and updating users, in both forms.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { assertEvery } from '../support/assert-every.ts';
import type { JsonBody, TestApi } from '../support/test-api.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createUser, issuePaths, newReference, USER_FORMS } from '../support/test-users.ts';

const service = await startTestService();
after(() => service.stop());
const api = service.api();
const sandbox = service.api(service.keys.sandbox);
const stranger = service.api((await createAccount(service)).live);

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const FIELDS = [
  'timezone',
  'status',
  'score_status',
  'last_sync_at',
  'last_score_at',
  'created_at',
  'profile',
  'metadata',
];
const FULL_PROFILE = {
  birth_date: '1984-02-29',
  sex: 'female',
  height_cm: 171.5,
  weight_kg: 63.2,
  max_heart_rate: 188,
  sleep_need_minutes: 480,
  energy_goal_ratio: 0.9,
};

async function refuses(fields: object, paths: string[], caller: TestApi = api): Promise<void> {
  const answer = await caller.post('/v1/users', { external_ref: newReference(), ...fields });
  assert.equal(answer.status, 400, `${JSON.stringify(fields).slice(0, 200)}: ${answer.text}`);
  assert.equal(answer.body.error, 'invalid_body');
  assert.deepEqual([...new Set(issuePaths(answer.body))].sort(), [...paths].sort());
  const unknown = answer.body.details.issues.filter((issue: JsonBody) => issue.message === 'unknown field');
  assert.ok(unknown.length === 0 || unknown.length === answer.body.details.issues.length, answer.text);
}

for (const { form, reference, unwrap } of USER_FORMS) {
  const headers = { 'api-form': form };

  describe(`POST /v1/users, Form ${form}`, () => {
    it('201 with the fields of the specification and no invented defaults', async () => {
      const name = newReference();
      const before = Date.now();
      const answer = await api.post('/v1/users', { [reference]: name }, { headers });
      assert.equal(answer.status, 201);
      assert.equal(answer.headers.get('api-form'), form);
      assert.deepEqual(Object.keys(answer.body), form === '1' ? ['data'] : ['id', reference, ...FIELDS]);
      const user = unwrap(answer.body);
      assert.deepEqual(Object.keys(user), ['id', reference, ...FIELDS]);
      const { id, created_at, ...rest } = user;
      assert.match(id, UUID_V7);
      assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
      assert.ok(Math.abs(Date.parse(created_at) - before) < 60_000);
      assert.deepEqual(rest, {
        [reference]: name,
        timezone: null,
        status: 'active',
        score_status: 'calibrating',
        last_sync_at: null,
        last_score_at: null,
        profile: {},
        metadata: {},
      });
    });

    it('201 with every field, stored as given', async () => {
      const fields = {
        timezone: 'America/Argentina/Buenos_Aires',
        profile: FULL_PROFILE,
        metadata: { team: 'blue', ключ: '' },
      };
      const answer = await api.post('/v1/users', { [reference]: newReference(), ...fields }, { headers });
      assert.equal(answer.status, 201, answer.text);
      const { timezone, profile, metadata } = unwrap(answer.body);
      assert.deepEqual({ timezone, profile, metadata }, fields);
    });

    it('201 for references of 1 and of 255 characters, whatever their bytes', async () => {
      for (const name of [form, 'é', '😀'.repeat(254) + form, form + 'x'.repeat(254)]) {
        const answer = await (form === '1' ? api : sandbox).post('/v1/users', { [reference]: name }, { headers });
        assert.equal(answer.status, 201, answer.text);
        assert.equal(unwrap(answer.body)[reference], name);
      }
    });

    it('400 invalid_body when the reference is missing, empty, too long or not a string', async () => {
      for (const body of [
        {},
        { [reference]: '' },
        { [reference]: 'x'.repeat(256) },
        { [reference]: '😀'.repeat(256) },
        { [reference]: 5 },
        { [reference]: null },
      ]) {
        const answer = await api.post('/v1/users', body, { headers });
        assert.equal(answer.status, 400, JSON.stringify(body));
        assert.equal(answer.body.error, 'invalid_body');
        assert.deepEqual(issuePaths(answer.body), [reference]);
      }
    });

    it('400 invalid_body without a body', async () => {
      const answer = await api.post('/v1/users', undefined, { headers });
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error, 'invalid_body');
    });

    it('201 with both names of the reference when they agree', async () => {
      const name = newReference();
      const answer = await api.post('/v1/users', { reference_id: name, external_ref: name }, { headers });
      assert.equal(answer.status, 201, answer.text);
      assert.equal(unwrap(answer.body)[reference], name);
    });

    it('400 when both names of the reference are given and differ', async () => {
      const body = { reference_id: newReference(), external_ref: newReference() };
      const answer = await api.post('/v1/users', body, { headers });
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body.details.form_1, ['reference_id']);
      assert.deepEqual(answer.body.details.form_2, ['external_ref']);
    });

    it('409 reference_taken names the holder; the same reference is free in the other environment', async () => {
      const name = newReference();
      const first = unwrap((await api.post('/v1/users', { [reference]: name }, { headers })).body);
      const second = await api.post('/v1/users', { [reference]: name }, { headers });
      assert.equal(second.status, 409);
      assert.equal(second.body.error, 'reference_taken');
      assert.deepEqual(second.body.details, { user_id: first.id });
      assert.equal((await sandbox.post('/v1/users', { [reference]: name }, { headers })).status, 201);
      assert.equal((await stranger.post('/v1/users', { [reference]: name }, { headers })).status, 201);
    });
  });

  describe(`GET /v1/users/{id}, Form ${form}`, () => {
    it('200 adds devices and sync to the response of create', async () => {
      const created = unwrap(
        (await api.post('/v1/users', { [reference]: newReference(), profile: FULL_PROFILE }, { headers })).body,
      );
      const answer = await api.get(`/v1/users/${created.id}`, { headers });
      assert.equal(answer.status, 200);
      assert.deepEqual(unwrap(answer.body), {
        ...created,
        devices: [],
        sync: { last_sync_at: null, devices_active: 0, devices_failing: 0 },
      });
    });

    it('200 counts active and failing devices, oldest first', async () => {
      const { id } = await createUser(api);
      const { db } = service.running.services;
      const states = ['pending', 'active', 'failed', 'expired', 'reauthorize', 'active'];
      for (const [index, status] of states.entries())
        await db.query(
          `insert into devices (user_id, id, provider, status, created_at, connected_at) values ($1, gen_random_uuid(), 'oura', $2, $3, $4)`,
          [id, status, new Date(index), status === 'active' ? new Date('2026-01-31T07:05:09.000Z') : null],
        );
      const user = unwrap((await api.get(`/v1/users/${id}`, { headers })).body);
      assert.deepEqual(
        user.devices.map((device: JsonBody) => device.status),
        states,
      );
      assert.equal(user.devices[1].connected_at, '2026-01-31T07:05:09Z');
      assert.deepEqual(user.sync, { last_sync_at: null, devices_active: 2, devices_failing: 2 });
    });

    it('200 for the id in capital letters', async () => {
      const { id } = await createUser(api);
      const answer = await api.get(`/v1/users/${id.toUpperCase()}`, { headers });
      assert.equal(answer.status, 200);
      assert.equal(unwrap(answer.body).id, id);
    });

    it('404 names the id of the user whose reference was sent instead, only within its environment', async () => {
      const { id, external_ref: reference } = await createUser(api);
      const { body } = await api.get(`/v1/users/${reference}`, { headers });
      assert.equal(
        body.message,
        `User ${reference} was not found: it is the reference of the user ${id}. Use that id.`,
      );
      for (const other of [sandbox, stranger]) {
        const answer = await other.get(`/v1/users/${reference}`, { headers });
        assert.deepEqual([answer.status, answer.body.message], [404, `User ${reference} was not found.`]);
      }
    });

    it('404 not_found with the id: unknown, invalid UUID, of another account; names the environment of a user of the other one', async () => {
      const foreign = await createUser(stranger);
      const other = await createUser(sandbox);
      for (const id of [ABSENT_ID, 'nobody', '12345', `${ABSENT_ID}0`, foreign.id, other.id]) {
        for (const answer of [
          await api.get(`/v1/users/${id}`, { headers }),
          await api.patch(`/v1/users/${id}`, { timezone: null }, { headers }),
          await api.delete(`/v1/users/${id}`, { headers }),
        ]) {
          assert.equal(answer.status, 404);
          assert.equal(answer.body.error, 'not_found');
          const more = ': it is a sandbox user and this is a live key. Use a sandbox key (sk_sandbox_…).';
          assert.equal(answer.body.message, `User ${id} was not found${id === other.id ? more : '.'}`);
          assert.deepEqual(answer.body.details, { user_id: id });
        }
      }
      const reverse = await sandbox.get(`/v1/users/${(await createUser(api)).id}`, { headers });
      assert.match(
        reverse.body.message,
        /: it is a live user and this is a sandbox key\. Use a live key \(sk_live_…\)\.$/,
      );
      assert.equal((await stranger.get(`/v1/users/${foreign.id}`)).status, 200);
      assert.equal((await sandbox.get(`/v1/users/${other.id}`)).status, 200);
    });
  });

  describe(`PATCH /v1/users/{id}, Form ${form}`, () => {
    it('200 changes only the given fields and returns the response of a read', async () => {
      const { id } = await createUser(api, {
        timezone: 'Europe/Berlin',
        profile: FULL_PROFILE,
        metadata: { a: '1', b: '2' },
      });
      const name = newReference();
      const body = { [reference]: name, profile: { weight_kg: 64, sex: null }, metadata: { b: '3', c: '', a: null } };
      const answer = await api.patch(`/v1/users/${id}`, body, { headers });
      assert.equal(answer.status, 200, answer.text);
      const user = unwrap(answer.body);
      const { sex: _, ...profile } = FULL_PROFILE;
      assert.equal(user[reference], name);
      assert.equal(user.timezone, 'Europe/Berlin');
      assert.deepEqual(user.profile, { ...profile, weight_kg: 64 });
      assert.deepEqual(user.metadata, { b: '3', c: '' });
      assert.deepEqual((await api.get(`/v1/users/${id}`, { headers })).body, answer.body);
    });

    it('200 and null clears time zone, profile and metadata', async () => {
      const { id } = await createUser(api, { timezone: 'Asia/Tokyo', profile: FULL_PROFILE, metadata: { a: '1' } });
      const answer = await api.patch(`/v1/users/${id}`, { timezone: null, profile: null, metadata: null }, { headers });
      const { timezone, profile, metadata } = unwrap(answer.body);
      assert.deepEqual({ timezone, profile, metadata }, { timezone: null, profile: {}, metadata: {} });
    });

    it('400 invalid_body for a null reference, an empty change, an unknown field', async () => {
      const { id } = await createUser(api);
      for (const body of [{ [reference]: null }, {}, { status: 'deleting' }, []]) {
        const answer = await api.patch(`/v1/users/${id}`, body, { headers });
        assert.equal(answer.status, 400, answer.text);
        assert.equal(answer.body.error, 'invalid_body');
      }
    });

    it('409 reference_taken when another user has the reference, 200 for the user’s own', async () => {
      const holder = await createUser(api);
      const { id, external_ref } = await createUser(api);
      const taken = await api.patch(`/v1/users/${id}`, { [reference]: holder.external_ref }, { headers });
      assert.equal(taken.status, 409);
      assert.deepEqual(taken.body.details, { user_id: holder.id });
      assert.equal((await api.patch(`/v1/users/${id}`, { [reference]: external_ref }, { headers })).status, 200);
    });
  });
}

describe('the fields of a user', () => {
  it('201 for any IANA name, aliases included, stored as given', async () => {
    for (const timezone of [
      'Europe/Berlin',
      'Asia/Calcutta',
      'US/Pacific',
      'UTC',
      'Etc/GMT+5',
      'America/Indiana/Knox',
      'GB',
    ])
      assert.equal((await createUser(api, { timezone })).timezone, timezone);
  });

  it('400 for offsets and for invalid time zones', async () => {
    for (const timezone of [
      '+02:00',
      '-0530',
      'UTC+2',
      'Europe/Atlantis',
      'Berlin',
      '',
      ' Europe/Berlin',
      'Europe/Berlin ',
      'x'.repeat(65),
      7,
    ])
      await refuses({ timezone }, ['timezone']);
  });

  it('201 at the limits of the profile, 400 beyond them', async () => {
    const edges: Record<string, [number, number, number]> = {
      height_cm: [30, 280, 0.01],
      weight_kg: [1, 700, 0.01],
      max_heart_rate: [80, 250, 0.01],
      sleep_need_minutes: [180, 900, 1],
      energy_goal_ratio: [0.5, 2, 0.01],
    };
    for (const [field, [lowest, highest, step]] of Object.entries(edges)) {
      for (const value of [lowest, highest]) {
        const user = await createUser(api, { profile: { [field]: value } });
        assert.deepEqual(user.profile, { [field]: value });
      }
      for (const value of [lowest - step, highest + step, 'tall', true])
        await refuses({ profile: { [field]: value } }, [`profile.${field}`]);
    }
    await refuses({ profile: { sleep_need_minutes: 480.5 } }, ['profile.sleep_need_minutes']);
  });

  it('400 for a birth date that is invalid, too early or in the future', async () => {
    const future = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10);
    for (const birth_date of [
      '2001-02-29',
      '1899-12-31',
      '0201-01-01',
      future,
      '2001-1-1',
      '20010101',
      '2001-01-01T00:00:00Z',
      '',
    ])
      await refuses({ profile: { birth_date } }, ['profile.birth_date']);
    assert.equal((await createUser(api, { profile: { birth_date: '1900-01-01' } })).profile.birth_date, '1900-01-01');
  });

  it('400 for an unknown sex or profile field, all problems at once', async () => {
    await refuses({ profile: { sex: 'f' } }, ['profile.sex']);
    await refuses({ profile: { shoe_size: 42 } }, ['profile.shoe_size']);
    await refuses({ profile: { weight_kg: 0, height_cm: 1 }, timezone: 5 }, [
      'profile.weight_kg',
      'profile.height_cm',
      'timezone',
    ]);
    await refuses({ profile: [] }, ['profile']);
  });

  it('201 for 50 keys and values of 500 characters, 400 for one more', async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key${index}`, '😀'.repeat(500)]));
    const { id, metadata } = await createUser(api, { metadata: many });
    assert.deepEqual(metadata, many);
    await refuses({ metadata: { ...many, more: '' } }, ['metadata']);
    await refuses({ metadata: { long: 'x'.repeat(501) } }, ['metadata.long']);
    await refuses({ metadata: { nested: {} } }, ['metadata.nested']);
    await refuses({ metadata: { number: 1, other: [] } }, ['metadata.number', 'metadata.other']);
    await refuses({ metadata: { '7': 1 } }, ['metadata[7]']);
    await refuses({ metadata: { ['k'.repeat(101)]: '' } }, [`metadata.${'k'.repeat(101)}`]);
    const beyond = await api.patch(`/v1/users/${id}`, { metadata: { more: 'x' } });
    assert.equal(beyond.status, 400);
    assert.deepEqual(issuePaths(beyond.body), ['metadata']);
    const exchanged = await api.patch(`/v1/users/${id}`, { metadata: { key0: null, more: 'x' } });
    assert.equal(exchanged.status, 200);
  });

  it('201 for metadata keys that are names of JavaScript properties', async () => {
    const metadata = { constructor: 'a', toString: 'b', hasOwnProperty: 'c', 'a.b': 'd', '0': 'e' };
    const { id } = await createUser(api, { metadata });
    assert.deepEqual((await api.get(`/v1/users/${id}`)).body.data.metadata, metadata);
  });

  it('400 names unknown fields', async () => {
    await refuses({ external_reference: 'x', id: ABSENT_ID }, ['external_reference', 'id']);
  });

  it('201 a sandbox user is ready at once', async () => {
    assert.equal((await createUser(sandbox)).score_status, 'ready');
  });

  it('409 for all but one of 20 parallel creates of one reference', async () => {
    const external_ref = newReference();
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post('/v1/users', { external_ref })));
    const made = answers.filter((answer) => answer.status === 201);
    assert.equal(made.length, 1);
    for (const answer of answers.filter((each) => each.status !== 201)) {
      assert.equal(answer.status, 409);
      assert.deepEqual(answer.body.details, { user_id: made[0]?.body.id });
    }
  });

  it('200 parallel changes of metadata are all kept', async () => {
    const { id } = await createUser(api);
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    const answers = await Promise.all(keys.map((key) => api.patch(`/v1/users/${id}`, { metadata: { [key]: key } })));
    assertEvery(answers, (answer) => answer.status === 200);
    assert.deepEqual(Object.keys((await api.get(`/v1/users/${id}`)).body.data.metadata).sort(), [...keys].sort());
  });
});

it('POST /v1/users: 400 invalid_body for `seed: true` with a live key, in both forms', async () => {
  for (const name of ['reference_id', 'external_ref']) {
    const answer = await api.post('/v1/users', { [name]: 'seeded in live', seed: true });
    assert.deepEqual([answer.status, answer.body.error, issuePaths(answer.body)], [400, 'invalid_body', ['seed']]);
    assert.equal((await api.post('/v1/users', { [name]: `${name} without data`, seed: false })).status, 201);
  }
});
