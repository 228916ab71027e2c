// The export of the privacy portal contains everything that is stored about a person: the test writes a unique value to every
// column that can hold personal data, and searches for each in the download.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { PersonId } from '../../src/domain/roster.ts';
import { SCORE_TYPES } from '../../src/domain/scores/index.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { listRosterMemberships } from '../../src/features/people/memberships/index.ts';
import { exportCsv, exportPerson, limitExport } from '../../src/features/people/personal-export/index.ts';
import { MAX_EXPORTS } from '../../src/features/people/personal-export/limit-exports.ts';
import {
  DECODED_TABLES,
  type ExportedTable,
  NOT_EXPORTED,
  PERSON_TABLES,
  USER_TABLES,
} from '../../src/features/people/personal-export/personal-tables.ts';
import { packScoresJob } from '../../src/features/pipeline/scoring/index.ts';
import { listTables } from '../support/search-database.ts';
import type { JsonBody } from '../support/test-api.ts';
import { openPage, submitForm } from '../support/test-pages.ts';
import { startPhone } from '../support/test-phone.ts';
import { createRosterSide, newAddress, ROSTER } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';
import { insertUniqueRow, listColumns } from '../support/unique-rows.ts';
import { waitUntil } from '../support/wait-until.ts';

const printed: string[] = [];
const service = await startTestService({ role: 'api', printedLines: printed }); // no worker: the inserted rows are not processed
after(() => service.stop());
const { services } = service.running;
const { db } = services;
const acme = await createAccount(service);
const api = service.api(acme.live);
const roster = createRosterSide(api, printed);

const DAY = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10);
const WATCH = { provider: 'apple_health', name: "Anna's Apple Watch", model: 'Watch7,1', device_class: 'wrist' };
const BAND = { provider: 'apple_health', id: 'band-identifier', name: "Anna's band", device_class: 'wrist' };
const HEART_RATES = [{ metric: 'heart_rate', start: `${DAY}T10:00:00+02:00`, value: 61.25 }];
const workout = (id: string, bpm: number) => ({
  id,
  sport_type: 'running',
  name: `run ${id}`,
  start: `${DAY}T08:00:00Z`,
  end: `${DAY}T08:30:00Z`,
  heart_rate: {
    samples: [0, 1, 2].map((minute) => ({ timestamp: `${DAY}T08:0${minute}:00Z`, bpm: bpm + minute })),
  },
});
const night = (id: string, stage: string) => ({
  id,
  start: `${DAY}T00:00:00Z`,
  end: `${DAY}T06:00:00Z`,
  stages: [{ stage, start: `${DAY}T01:00:00Z`, end: `${DAY}T02:17:00Z` }],
});

function listHeartRates(daysBefore: number) {
  const from = Date.parse(`${DAY}T06:00:00Z`) - daysBefore * DAY_MS;
  return Array.from({ length: 20_000 }, (_, second) => ({
    metric: 'heart_rate',
    start: new Date(from + second * 1_000).toISOString(),
    value: 60 + (second % 40),
  }));
}

const LOCAL = 'address:127.0.0.1';

/** An export that is open and not read yet. */
function hold(person: string, address: string, now?: () => number) {
  async function* never() {
    yield 'x';
    await new Promise(() => undefined);
  }
  const held = limitExport({ person: person as PersonId, address, hasRaw: false }, never, now);
  assert.ok(typeof held === 'object');
  return held;
}

async function joinAgain() {
  const email = newAddress();
  const first = await roster.join(email, {
    name: 'Anna first',
    message: 'first message',
    external_ref: `ref ${email}`,
  });
  await api.delete(`${ROSTER}/${first.id}`);
  const member = await roster.join(email, { name: 'Anna', message: 'second message' });
  const [person] = await db.query<{ id: PersonId }>('select id from roster_people where address = $1', [email]);
  return { ...member, email, personId: person?.id as PersonId };
}

async function joinWithEverything() {
  const member = await joinAgain();
  const user = `/v1/users/${member.user_id}`;
  const profile = { birth_date: '1984-02-29', max_heart_rate: 187.5 };
  const changed = await api.patch(user, { metadata: { note: 'metadata mark' }, profile, timezone: 'Europe/Berlin' });
  assert.equal(changed.status, 200, changed.text);
  const phone = await startPhone(service, member.user_id, { key: acme.live, installationId: 'installation-mark' });
  const upload = async (body: object) => {
    const answer = await phone.send({ upload_id: randomUUID(), ...body });
    assert.deepEqual([answer.status, answer.body.rejected], [200, []], answer.text);
  };
  const daily = [{ metric: 'weight', date: DAY, value: 71.375 }];
  await upload({
    source: WATCH,
    samples: HEART_RATES,
    daily,
    sleep: [night('night-watch', 'rem')],
    workouts: [workout('w-watch', 141)],
  });
  await upload({ source: BAND, sleep: [night('night-band', 'deep')], workouts: [workout('w-band', 151)] });
  const settings = { metrics: { steps: { method: 'max' } } };
  const set = await api.patch(`${user}/consolidation`, settings, { headers: { 'api-form': '2' } });
  assert.equal(set.status, 202, set.text);
  return member;
}

async function download(page: string, fields: Record<string, string>): Promise<JsonBody> {
  const file = await submitForm(page, fields);
  assert.equal(file.status, 200, file.text);
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment/);
  return JSON.parse(file.text);
}

/** Every string, number and boolean in it. */
function leavesOf(value: unknown, into = new Set<string>()): Set<string> {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) leavesOf(part, into);
  else into.add(String(value));
  return into;
}

const FIXED = {
  environment: 'live',
  'audit_log.via': 'dashboard',
  'devices.status': 'active',
  'devices.transport': 'cloud',
  'devices.backfill_state': 'done',
  'sdk_sessions.platform': 'ios',
  'sdk_sessions.status': 'active',
  'sync_log.kind': 'poll',
  'sync_tasks.kind': 'window',
  'webhook_deliveries.status': 'failed',
};
/** Tables with one row per person, or with rows that the API created. */
const MADE_BY_THE_API = [
  'users',
  'user_zones',
  'scoring_queue',
  'roster_people',
  'roster_invitations',
  'roster_members',
];

async function plant(table: ExportedTable, ownerId: string): Promise<void> {
  const named = Object.entries(FIXED).map(([name, value]) => [name.replace(`${table.table}.`, ''), value] as const);
  await insertUniqueRow(db, table.table, { ...Object.fromEntries(named), [table.owner]: ownerId });
}

const SESSION_COLUMNS = 'user_id id device key start_at end_at date duplicate_of record';
/** The other columns are derived from the payload. */
const DECODED_COLUMNS: Record<string, string> = {
  sample_blocks: 'user_id metric block device payload revision count min max sum first_ms last_ms reach_seconds',
  device_months: 'user_id month device payload',
  daily_months: 'user_id month payload',
  sleep_sessions: `${SESSION_COLUMNS} is_main`,
  workout_routes: 'user_id device key route laps',
  workouts: `${SESSION_COLUMNS} trace`,
  raw_payloads: 'user_id id device kind context received_at payload',
  request_blocks:
    'account_id environment seq span size first_at last_at failures max_ms routes users id_hashes calls is_merged',
  scores: `user_id date ${SCORE_TYPES.join(' ')} details stress_series packed_details packed_stress`,
};

/** A queue that is emptied within seconds, random bytes beside the id, and nothing beside the id. */
const WITHOUT_PERSONAL_DATA = ['audit_inbox', 'audit_salts', 'data_locks'];

describe('every table of the database', () => {
  it('is exported, or listed with a reason', async () => {
    const known = [...PERSON_TABLES, ...USER_TABLES].map(({ table }) => table);
    const named = [...known, ...Object.keys(DECODED_TABLES), ...Object.keys(NOT_EXPORTED)];
    assert.equal(new Set(named).size, named.length, 'a table is named twice');
    const present = (await listTables(db)).filter((name) => name.startsWith('public.')).map((name) => name.slice(7));
    assert.deepEqual(named.toSorted(), present.toSorted());
    for (const [table, reason] of Object.entries(NOT_EXPORTED)) {
      assert.ok(reason.length > 10, table);
      const owners = (await listColumns(db, table)).filter(({ name }) => ['user_id', 'person_id'].includes(name));
      if (!WITHOUT_PERSONAL_DATA.includes(table))
        assert.deepEqual(owners, [], `${table} has personal data and is not exported`);
    }
  });

  it('has the columns that the decoders of packed tables know', async () => {
    for (const [table, columns] of Object.entries(DECODED_COLUMNS)) {
      const names = (await listColumns(db, table)).map(({ name }) => name);
      assert.deepEqual(
        names.toSorted(),
        columns.split(' ').toSorted(),
        `${table}: export the new column, then add it here`,
      );
    }
    assert.deepEqual(Object.keys(DECODED_COLUMNS).sort(), Object.keys(DECODED_TABLES).sort());
  });

  it('omits a column only if it contains a credential', async () => {
    for (const { table, omitted = {} } of [...PERSON_TABLES, ...USER_TABLES]) {
      const columns = (await listColumns(db, table)).map(({ name }) => name);
      for (const [column, reason] of Object.entries(omitted)) {
        assert.ok(columns.includes(column), `${table}.${column}`);
        assert.match(reason, /^a credential: /);
      }
    }
  });
});

describe('POST /my-data/{token} with decision=export', () => {
  it('200 with the value of every column of every table except credentials', async () => {
    const member = await joinWithEverything();
    await db.query(
      `update users set unshared_at = '2031-05-05', last_score_at = '2031-06-06', calibrating_until = '2031-07-07' where id = $1`,
      [member.user_id],
    );
    await db.query(
      `update scoring_queue set day_scored_at = '2031-07-07', claimed_until = '2031-07-08' where user_id = $1`,
      [member.user_id],
    );
    for (const table of USER_TABLES) if (!MADE_BY_THE_API.includes(table.table)) await plant(table, member.user_id);
    await services.requestLog.flush(); // its rows are written later, also while the export is read
    const stored = await Promise.all(
      [...PERSON_TABLES, ...USER_TABLES].map(async ({ table, owner, omitted = {} }) => {
        const ownerId = PERSON_TABLES.some((one) => one.table === table) ? member.personId : member.user_id;
        const text = `select to_jsonb(t) as row from ${table} t where ${owner} = $1`;
        return { table, omitted, rows: await db.query<{ row: JsonBody }>(text, [ownerId]) };
      }),
    );
    const leaves = leavesOf(await download(member.portalLink, { member: member.id, decision: 'export' }));
    let looked = 0;
    for (const { table, omitted, rows } of stored) {
      for (const { name } of await listColumns(db, table)) {
        const values = rows.map(({ row }) => row[name]).filter((value) => value !== null);
        assert.ok(values.length > 0, `no value was inserted into ${table}.${name}`);
        for (const leaf of leavesOf(values)) {
          looked += 1;
          if (name in omitted) assert.ok(!leaves.has(leaf), `${table}.${name} is a credential and is in the export`);
          else assert.ok(leaves.has(leaf), `${table}.${name} is not in the export: ${leaf}`);
        }
      }
    }
    assert.ok(looked > 200, 'the number of searched values');
  });

  it('200 with the scores of each day, their factors and the computed stress', async () => {
    const member = await joinAgain();
    const detail = {
      ...{ neutral: 70, coverage: 100, algorithm_version: 1, computed_at: `${DAY}T09:00:00.000Z` },
      factors: [{ name: 'duration', contribution: 2.8, direction: 'positive' }],
      explanation: {
        missing: [],
        readings: [{ name: 'duration', input: 440, usual: null, position: 440, effect: 0.2667 }],
      },
    };
    await db.query(
      'insert into scores (user_id, date, sleep_score, details, stress_series) values ($1, $2, 728, $3, $4)',
      [member.user_id, DAY, JSON.stringify({ sleep_score: detail }), '[[1953530, 31]]'],
    );
    const exportScores = async () =>
      (await download(member.portalLink, { member: member.id, decision: 'export' })).users[0].scores;
    const exported = await exportScores();
    assert.deepEqual(exported[0].details, { sleep_score: detail });
    assert.deepEqual([exported[0].date, exported[0].sleep_score, exported[0].strain_score], [DAY, 72.8, null]);
    assert.deepEqual(exported[0].stress_series, [[1953530, 31]]);
    await packScoresJob.run(services, {});
    assert.deepEqual(await exportScores(), exported, 'packed');
  });

  it('200 with the calls that concern the person', async () => {
    const member = await joinAgain();
    await api.get(`/v1/users/${member.user_id}`, { headers: { 'user-agent': 'acme/1.0' } });
    await services.requestLog.flush();
    const { users } = await download(member.portalLink, { member: member.id, decision: 'export' });
    const { seq, at, id, ms, bytes, credential_id, ...call } = users[0].api_requests.at(-1);
    assert.deepEqual(call, {
      account_id: acme.id,
      environment: 'live',
      method: 'GET',
      route: '/v1/users/:user_id',
      path: '/v1/users/{id}',
      status: 200,
      error: null,
      credential_kind: 'api_key',
      user_id: member.user_id,
      agent: 'acme/1.0',
    });
    assert.ok(seq > 0 && ms > 0 && bytes > 0 && Date.parse(at) > 0);
    assert.ok(/^req_/.test(id) && credential_id.length > 0);
  });

  it('200 with samples, days, sleeps with stages and workouts with trace and zones of every device', async () => {
    const member = await joinWithEverything();
    const { users, organizations, is_complete } = await download(member.portalLink, {
      member: member.id,
      decision: 'export',
    });
    assert.deepEqual([is_complete, users.length, organizations[0].name], [true, 1, acme.name]);
    const [user] = users;
    const names = new Map(user.devices.map((device: JsonBody) => [device.id, device.name]));
    const { samples, daily, sleep, workouts } = user.normalized;
    const start = new Date(`${DAY}T08:00:00Z`).toISOString().replace('.000', '');
    const { device_id, device, ...run } = samples.find((one: JsonBody) => one.metric === 'heart_rate');
    assert.equal(names.get(device_id), WATCH.name);
    assert.deepEqual(run, {
      provider: 'apple_health',
      metric: 'heart_rate',
      unit: 'bpm',
      utc_offset_minutes: 120,
      recording_method: 'unknown',
      samples: [[start, start, 61.25]],
    });
    const weight = daily.find((one: JsonBody) => one.metric === 'weight');
    assert.deepEqual(weight.days, [
      { date: DAY, value: 71.375, unit: 'kg', origin: 'stated', recording_method: 'unknown' },
    ]);
    assert.deepEqual(
      sleep.map((one: JsonBody) => [one.key, names.get(one.device_id), one.stages[0].stage, one.stages[0].end]).sort(),
      [
        ['night-band', BAND.name, 'deep', `${DAY}T02:17:00Z`],
        ['night-watch', WATCH.name, 'rem', `${DAY}T02:17:00Z`],
      ],
    );
    assert.equal(sleep.filter((one: JsonBody) => one.duplicate_of !== null).length, 1, 'one is a duplicate');
    const runs = workouts.map((one: JsonBody) => [
      one.key,
      one.name,
      one.heart_rate_trace.map(([, bpm]: number[]) => bpm),
    ]);
    assert.deepEqual(runs.sort(), [
      ['w-band', 'run w-band', [151, 152, 153]],
      ['w-watch', 'run w-watch', [141, 142, 143]],
    ]);
    for (const one of workouts) {
      assert.equal(one.heart_rate_zones.length, 5);
      assert.deepEqual([one.heart_rate_zones_from, one.source_zone_minutes], ['trace', null]);
    }
    assert.equal(user.canonical[0].workouts[0].detail.heart_rate.zones.length, 5);
    assert.equal(user.canonical[0].daily.data.find((row: JsonBody) => row.metric === 'weight').value, 71.38);
    assert.deepEqual([user.profile[0].consolidation !== null, user.raw_payloads], [true, null]);
  });

  it('200 with raw payloads, byte by byte, if requested', async () => {
    const member = await joinWithEverything();
    const source = { ...WATCH, name: 'Зоя’s ⌚ "watch"\u2028' };
    const body = { upload_id: randomUUID(), source, samples: HEART_RATES };
    const phone = await startPhone(service, member.user_id, { key: acme.live });
    assert.equal((await phone.send(body)).status, 200);
    const { users } = await download(member.portalLink, { member: member.id, decision: 'export', raw: 'true' });
    assert.equal(users[0].raw_payloads.length, 3);
    assert.ok(users[0].raw_payloads.some((one: JsonBody) => one.payload === JSON.stringify(body)));
  });

  it('200 with everything at every organization, and for a person who was only invited', async () => {
    const member = await joinWithEverything();
    const other = await createAccount(service);
    await createRosterSide(service.api(other.live), printed).join(member.email);
    const third = await createAccount(service);
    await createRosterSide(service.api(third.live), printed).invite(member.email, { message: 'third message' });
    const all = await download(member.portalLink, { decision: 'export_all' });
    assert.deepEqual(all.users.map((one: JsonBody) => one.organization).sort(), [acme.name, other.name].sort());
    assert.ok(all.invitations.some((one: JsonBody) => one.message === 'third message'));
    const { portalLink } = await roster.invite(newAddress(), { message: 'only invited' });
    assert.match((await openPage(portalLink)).text, /value="export_all"/);
    const few = await download(portalLink, { decision: 'export_all' });
    assert.deepEqual([few.users, few.invitations[0].message, few.is_complete], [[], 'only invited', true]);
  });

  it('describes every section', async () => {
    const member = await joinWithEverything();
    const { description, users, ...sections } = await download(member.portalLink, {
      member: member.id,
      decision: 'export',
    });
    const { normalized, organization, is_shared, ...ofUser } = users[0];
    const apart = ['format', 'version', 'exported_at', 'is_complete'];
    const names = [
      ...Object.keys(sections),
      ...Object.keys(ofUser),
      ...Object.keys(normalized).map((name) => `normalized.${name}`),
    ];
    assert.deepEqual(
      names.filter((name) => !apart.includes(name) && !(name in description)),
      [],
    );
  });

  it('is written in small chunks, however many samples there are', async () => {
    const member = await joinAgain();
    const phone = await startPhone(service, member.user_id, { key: acme.live });
    await phone.upload({ samples: listHeartRates(0) });
    const memberships = await listRosterMemberships(db, member.personId);
    let [longest, total] = [0, 0];
    for await (const piece of exportPerson(services, { person: member.personId, memberships, hasRaw: true })) {
      longest = Math.max(longest, piece.length);
      total += piece.length;
    }
    assert.ok(total > 2_000_000, `${total} in all`);
    assert.ok(longest < 300_000, `a chunk has ${longest}`);
  });

  it('fails as CSV if the user is erased meanwhile, so that the file does not look complete', async () => {
    const member = await joinAgain();
    await (await startPhone(service, member.user_id, { key: acme.live })).upload({ samples: HEART_RATES });
    const memberships = await listRosterMemberships(db, member.personId);
    const erasing = Object.assign(Object.create(db) as typeof db, {
      transaction: async (...args: Parameters<typeof db.transaction>) => {
        await db.query("update users set status = 'deleting' where id = $1", [member.user_id]);
        return db.transaction(...args);
      },
    });
    const request = { person: member.personId, memberships, hasRaw: false };
    await assert.rejects(async () => {
      for await (const _piece of exportCsv({ ...services, db: erasing }, request, 'daily'));
    }, /was erased during the export/);
  });

  it('stops when its reader disconnects, so that the next one can begin', async () => {
    const member = await joinWithEverything();
    const requestExport = (signal?: AbortSignal) => {
      const body = new URLSearchParams({ member: member.id, decision: 'export', raw: 'true' });
      return fetch(member.portalLink, { method: 'POST', body, ...(signal && { signal }) });
    };
    for (let time = 0; time < 6; time += 1) {
      const leaving = new AbortController();
      const { body } = await requestExport(leaving.signal);
      if (time % 2 === 0) await body?.getReader().read(); // else before the first byte is read
      leaving.abort();
      const status = await waitUntil('another export', async () => {
        const answer = await requestExport();
        await answer.text();
        return answer.status === 200 && answer.status;
      });
      assert.equal(status, 200);
    }
  });

  it('429 while the person has another export, 503 while too many run, and works again after they end', async () => {
    const member = await joinWithEverything();
    const requestExport = () => submitForm(member.portalLink, { member: member.id, decision: 'export' });
    const running = hold(member.personId, LOCAL);
    const refused = await requestExport();
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60']);
    await running.body.next();
    await running.body.return(undefined);
    const others = Array.from({ length: MAX_EXPORTS }, (_, index) => hold(randomUUID(), `address:10.0.0.${index}`));
    assert.equal((await requestExport()).status, 503);
    for (const { body } of others) await body.return(undefined); // not started: their readers disconnected before
    for (const _again of [1, 2]) assert.equal((await requestExport()).status, 200);
  });

  it('closes the connection of a client that reads nothing if another address needs its slot', async () => {
    const member = await joinAgain();
    const phone = await startPhone(service, member.user_id, { key: acme.live });
    for (let day = 0; day < 3; day += 1) await phone.upload({ samples: listHeartRates(day) });
    const body = new URLSearchParams({ member: member.id, decision: 'export', raw: 'true' });
    const answer = await fetch(member.portalLink, { method: 'POST', body });
    assert.equal(answer.status, 200);
    const others = Array.from({ length: MAX_EXPORTS - 1 }, () =>
      hold(randomUUID(), LOCAL, () => performance.now() + MINUTE_MS),
    );
    for (const one of others) await one.body.next(); // received in a minute, so they are ahead
    others.push(hold(randomUUID(), 'address:10.0.0.1'));
    await assert.rejects(answer.text(), 'the download is incomplete');
    for (const one of others) assert.equal(one.signal.aborted, false);
    for (const one of others) await one.body.return(undefined);
    const again = await submitForm(member.portalLink, { member: member.id, decision: 'export' });
    assert.equal(again.status, 200);
  });
});
