// Tests the export of a user in every format.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import type { Tenant } from '../../src/domain/tenancy.ts';
import { FORMATS, parseExportQuery } from '../../src/features/reads/exports/export-query.ts';
import { findRange } from '../../src/features/reads/exports/find-range.ts';
import { writeExport } from '../../src/features/reads/exports/write-export.ts';
import { openForRead } from '../../src/features/reads/shared/index.ts';
import { FIXTURE_NOW, PERSON, uploadFixture } from '../golden/fixture.ts';
import { assertEvery } from '../support/assert-every.ts';
import { relabelDevices, restrictProvider } from '../support/restrict-provider.ts';
import { scoreNow } from '../support/scored-days.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createUser } from '../support/test-users.ts';

const service = await startTestService({ clock: createFrozenClock(FIXTURE_NOW) });
after(() => service.stop());
const api = service.api();
const { id: userId } = await createUser(api, PERSON);
await uploadFixture(await startPhone(service, userId));
await scoreNow(service, userId);

const [tenant] = await service.running.services.db.query<Tenant>(
  'select account_id as "accountId", environment from users where id = $1',
  [userId],
);
assert.ok(tenant);

const pathOf = (query: string) => `/v1/users/${userId}/export?${query}`;
async function read(query: string) {
  const answer = await api.get(pathOf(query));
  assert.equal(answer.status, 200, answer.text);
  return answer;
}
const linesOf = (text: string): JsonBody[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('GET /v1/users/{id}/export', () => {
  it('200 returns the same values as the reads, as NDJSON', async () => {
    const answer = await read('format=ndjson');
    assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
    assert.match(answer.headers.get('content-disposition') ?? '', new RegExp(`${userId}.ndjson`));
    const lines = linesOf(answer.text);
    assert.deepEqual(
      [...new Set(lines.map(({ resource }) => resource))],
      ['daily', 'sleep', 'workouts', 'scores', 'samples'],
    );
    const { body: daily } = await api.get(
      `/v1/users/${userId}/daily?from_date=2026-03-27&to_date=2026-03-30&types=steps,weight,heart_rate`,
      { headers: { 'api-form': '2' } },
    );
    for (const metric of ['steps', 'weight', 'heart_rate'])
      assert.deepEqual(
        lines
          .filter((line) => line.resource === 'daily' && line.metric === metric)
          .map(({ date, value }) => [date, value]),
        daily.dates
          .map((date: string, index: number) => [date, daily.series[metric][index]])
          .filter(([, value]: [string, number | null]) => value !== null),
        metric,
      );
    const { body: timeseries } = await api.get(
      `/v1/users/${userId}/timeseries?start_date=2026-03-27&end_date=2026-03-30&metrics=steps,active_calories,heart_rate`,
    );
    const samples = lines.filter(({ resource }) => resource === 'samples');
    for (const metric of ['steps', 'active_calories', 'heart_rate'])
      assert.deepEqual(
        samples.filter((line) => line.metric === metric).map(({ start, value, unit }) => [start, value, unit]),
        timeseries.data
          .filter((item: JsonBody) => item.metric === metric)
          .map((item: JsonBody) => [item.timestamp, item.value, item.unit]),
      );
    assertEvery(samples, ({ device_id }) => UUID.test(device_id));
    assertEvery(
      samples.filter(({ metric }) => metric === 'steps'),
      ({ end }) => TIME.test(end),
    );
    const sleep = lines.find(({ resource }) => resource === 'sleep');
    assert.match(sleep.id, UUID);
    assert.ok('stages' in sleep && sleep.asleep_minutes > 0);
    const score = lines.find((line) => line.resource === 'scores' && line.type === 'sleep_score');
    assert.ok(score.factors.length > 0 && typeof score.factors[0].contribution === 'number');
    const workout = lines.find((line) => line.resource === 'workouts' && line.sport_type === 'running');
    assert.ok(workout.heart_rate_zone_minutes.zone_1 >= 0);
  });

  it('200 returns only the selected resources, metrics and days', async () => {
    const { text } = await read('format=ndjson&resources=daily&metrics=steps&from=2026-03-28&to=2026-03-28');
    const lines = linesOf(text);
    assert.equal(lines.length, 1);
    assert.deepEqual([lines[0].date, lines[0].metric], ['2026-03-28', 'steps']);
  });

  it('200 returns nothing for days without data', async () => {
    assert.equal((await read('format=ndjson&from=2019-01-01&to=2019-12-31')).text, '');
    assert.match((await read('format=csv&resources=sleep&to=2019-12-31')).text, /^id,date,start,end[^\n]*\r\n$/);
  });

  it('200 returns one table as CSV', async () => {
    const daily = await read('format=csv&resources=daily&metrics=steps');
    assert.equal(daily.headers.get('content-type'), 'text/csv; charset=utf-8');
    const [header, first] = daily.text.split('\r\n');
    assert.equal(header, 'date,metric,value,unit,provider,device_id');
    assert.match(first ?? '', /^2026-03-\d\d,steps,\d+,count,apple_health,[0-9a-f-]{36}$/);
    const samples = (await read('format=csv&resources=samples&metrics=heart_rate')).text.split('\r\n');
    assert.equal(samples[0], 'metric,start,end,value,unit,provider,device_id');
    assert.match(samples[1] ?? '', /^heart_rate,2026-03-28T08:05:00Z,,96,bpm,apple_health,[0-9a-f-]{36}$/);
  });

  it('200 returns one table as Parquet with the same rows as NDJSON', async () => {
    for (const resource of ['daily', 'sleep', 'workouts', 'scores', 'samples']) {
      const file = await readBytes(`format=parquet&resources=${resource}`);
      const rows = await parquetReadObjects({ file });
      const lines = linesOf((await read(`format=ndjson&resources=${resource}`)).text);
      assert.ok(lines.length > 0, resource);
      assert.equal(rows.length, lines.length, resource);
      for (const [index, row] of (rows as JsonBody[]).entries())
        for (const name of Object.keys(row))
          assert.deepEqual(plain(row[name]), plain(lines[index][name]), `${resource} ${index} ${name}`);
    }
    assert.deepEqual(
      await parquetReadObjects({ file: await readBytes('format=parquet&resources=daily&to=2019-01-01') }),
      [],
    );
  });

  it('200 returns FHIR R4 resources with the required fields', async () => {
    const answer = await read('format=fhir');
    assert.equal(answer.headers.get('content-type'), 'application/fhir+ndjson');
    const [subject, ...others] = linesOf(answer.text);
    assert.deepEqual([subject.resourceType, subject.id, subject.birthDate], ['Patient', userId, '1990-05-17']);
    const devices = new Set(others.filter(({ resourceType }) => resourceType === 'Device').map(({ id }) => id));
    const observations = others.filter(({ resourceType }) => resourceType === 'Observation');
    assert.equal(devices.size, 2);
    assert.equal(devices.size + observations.length, others.length);
    assert.equal(new Set(observations.map(({ id }) => id)).size, observations.length);
    for (const one of observations) {
      const what = JSON.stringify(one);
      assert.match(one.id, UUID, what);
      assert.equal(one.status, 'final', what);
      assert.equal(one.subject.reference, `Patient/${userId}`, what);
      assert.match(one.category[0].coding[0].code, /^(vital-signs|activity)$/, what);
      assert.ok(one.code.coding[0].system && one.code.coding[0].code, what);
      assert.ok((one.effectiveDateTime === undefined) !== (one.effectivePeriod === undefined), what);
      if (one.device) assert.ok(devices.has(one.device.reference.replace('Device/', '')), what);
      if (one.valueQuantity) {
        assert.equal(typeof one.valueQuantity.value, 'number', what);
        assert.equal(one.valueQuantity.system, 'http://unitsofmeasure.org', what);
        assert.ok(one.valueQuantity.code, what);
      } else assert.ok(one.valueCodeableConcept ?? one.dataAbsentReason, what);
    }
    const weight = observations.find((one) => one.code.coding[0].code === '29463-7');
    assert.deepEqual(weight.valueQuantity.code, 'kg');
    const oxygen = observations.find((one) => one.code.coding[0].code === '2708-6');
    assert.equal(oxygen.code.coding[1].code, '59408-5');
  });

  it('200 returns Open mHealth data points with the required fields', async () => {
    const points = linesOf((await read('format=omh')).text);
    const schemas = new Set<string>();
    for (const { header, body } of points) {
      const what = JSON.stringify({ header, body });
      assert.match(header.uuid, UUID, what);
      assert.match(header.source_creation_date_time, TIME, what);
      const { namespace, name, version } = header.schema_id;
      schemas.add(`${namespace}:${name}:${version}`);
      const { date_time: time, time_interval: interval } = body.effective_time_frame;
      assert.ok((time === undefined) !== (interval === undefined), what);
      if (name === 'step-count') assert.ok(interval && body.step_count.unit === 'steps', what);
      if (name === 'heart-rate') assert.equal(body.heart_rate.unit, 'beats/min', what);
      if (name === 'sleep-episode') assert.ok(interval && body.total_sleep_time.unit === 'sec', what);
      if (name === 'physical-activity') assert.ok(interval && body.activity_name, what);
    }
    for (const name of [
      'omh:step-count:3.0',
      'omh:heart-rate:2.0',
      'ieee:sleep-episode:1.0',
      'ieee:physical-activity:1.0',
      'tributary:score:1.0',
    ])
      assert.ok(schemas.has(name), name);
    assert.equal(new Set(points.map(({ header }) => header.uuid)).size, points.length);
  });

  it('200 returns a bundle with what each device reported, and its checksum', async () => {
    const { text } = await read('format=bundle');
    const lines = linesOf(text);
    const end = lines.at(-1);
    const before = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
    assert.deepEqual(end, {
      line: 'end',
      lines: lines.length - 1,
      sha256: createHash('sha256').update(before).digest('hex'),
    });
    assert.deepEqual([lines[0].format, lines[0].version, lines[0].reference_id], ['tributary-bundle', 2, 'golden']);
    assert.deepEqual(lines[1].time_zones, [{ valid_from: null, zone: 'Europe/Berlin' }]);
    assert.deepEqual(lines[1].profile, PERSON.profile);
    const devices = lines.filter(({ line }) => line === 'device');
    assert.deepEqual(
      devices.map(({ name, device_class }) => [name, device_class]),
      [
        ['Watch', 'wrist'],
        ['Ring', 'ring'],
      ],
    );
    const known = new Set(devices.map(({ device }) => device));
    const kinds = Map.groupBy(lines.slice(2, -1), ({ line }) => line);
    for (const kind of ['samples', 'daily', 'sleep', 'workout']) assert.ok(kinds.get(kind)?.length, kind);
    for (const line of lines.slice(2, -1)) assert.ok(known.has(line.device), JSON.stringify(line));
    const run = kinds.get('workout')?.find(({ sport_type }) => sport_type === 'running');
    assert.deepEqual(run.heart_rate_samples[0], [Date.parse('2026-03-28T16:00:00Z'), 118]);
    const kilojoules = kinds.get('samples')?.find(({ unit }) => unit === 'kJ');
    assert.deepEqual(kilojoules.value, [627.6]);
    for (const secret of ['token', 'secret', 'password']) assert.ok(!text.includes(secret), secret);
  });

  it('400 names the parameter that is wrong', async () => {
    for (const [query, path] of [
      ['format=csv', 'resources'],
      ['format=ndjson&resources=naps', 'resources'],
      ['format=bundle&from=2026-01-01', 'from'],
    ] as const) {
      const answer = await api.get(pathOf(query));
      assert.deepEqual([answer.status, answer.body.details.issues[0].path], [400, path], query);
    }
    assert.equal((await api.get(pathOf('format=ndjson&metrics=mood'))).body.error, 'invalid_metric');
    assert.equal((await api.get(pathOf('format=xml'))).status, 400);
  });

  it('404 for a member of the dashboard, who can read the same user otherwise', async () => {
    const { cookie } = await createMember(service, 'default', 'owner');
    const member = memberApi(service, cookie);
    const path = `/dashboard/api/live/v1/users/${userId}`;
    assert.equal((await member.get(path)).status, 200);
    assert.equal((await member.get(`${path}/export?format=ndjson`)).status, 404);
  });

  it('404 for an unknown user', async () => {
    assert.equal((await api.get(`/v1/users/${ABSENT_ID}/export?format=ndjson`)).status, 404);
  });
});

describe('an export with data that the terms of its provider restrict', () => {
  it('contains no value that the provider contributed to, and no computed one, and says how much', async (t) => {
    const before = linesOf((await read('format=ndjson')).text);
    restrictProvider(t, 'oura', ['no_resale', 'retention']);
    await relabelDevices(t, service, userId, { from: 'apple_health', to: 'oura', name: 'Ring' });
    const answer = await read('format=ndjson');
    const [note, ...lines] = linesOf(answer.text);
    assert.deepEqual(
      [note.resource, note.providers],
      ['excluded', [{ provider: 'oura', restrictions: ['no_resale'] }]],
    );
    assert.ok(lines.some(({ provider }) => provider === 'apple_health'));
    for (const line of lines) assert.ok(!['oura', 'tributary'].includes(line.provider), JSON.stringify(line));
    assert.ok(!lines.some(({ resource }) => resource === 'scores'));
    const count = (list: JsonBody[], resource: string) => list.filter((line) => line.resource === resource).length;
    for (const resource of ['daily', 'sleep', 'workouts', 'scores'])
      assert.equal(note.records[resource], count(before, resource) - count(lines, resource), resource);
    assert.ok(note.records.scores > 0 && note.records.daily > 0 && note.records.samples > 0, JSON.stringify(note));
    const { resource: _line, ...exclusions } = note;
    assert.deepEqual(JSON.parse(answer.headers.get('tributary-excluded') ?? ''), exclusions);
    const csv = await read('format=csv&resources=daily');
    assert.doesNotMatch(csv.text, /oura|tributary/);
    assert.deepEqual(JSON.parse(csv.headers.get('tributary-excluded') ?? '').records, { daily: note.records.daily });
    const [outcome] = linesOf((await read('format=fhir&resources=daily')).text);
    assert.deepEqual([outcome.resourceType, outcome.issue[0].code], ['OperationOutcome', 'suppressed']);
    const bundle = linesOf((await read('format=bundle')).text);
    assert.equal(bundle[0].excluded.providers[0].provider, 'oura');
    assert.ok(!bundle.some(({ provider }) => provider === 'oura'));
  });

  it('is complete if the operator passes the data on, or if the terms allow it', async (t) => {
    const { text } = await read('format=ndjson');
    await relabelDevices(t, service, userId, { from: 'apple_health', to: 'oura' });
    restrictProvider(t, 'oura', ['no_ai', 'delay']);
    const allowed = await read('format=ndjson');
    assert.equal(allowed.text, text.replaceAll('apple_health', 'oura'));
    assert.equal(allowed.headers.get('tributary-excluded'), null);
    restrictProvider(t, 'oura', ['owner_only']);
    const { settings } = service.running.services as { settings: { passOnRestricted: ReadonlySet<string> } };
    settings.passOnRestricted = new Set(['oura']);
    t.after(() => {
      settings.passOnRestricted = new Set();
    });
    assert.equal((await read('format=ndjson')).text, allowed.text);
  });
});

describe('an export of a user who connects a restricted provider meanwhile', () => {
  for (const format of ['ndjson', 'fhir', 'csv'] as const)
    it(`fails before its last byte: ${format}`, async (t) => {
      const { services } = service.running;
      const { db } = services;
      const user = await openForRead({ services, caller: { tenant }, requestId: '' }, userId);
      const request = parseExportQuery(userId, { format, ...(format === 'csv' && { resources: 'daily' }) });
      const plan = { range: await findRange(db, user, request), exclusions: null };
      const source = { db, user, isWanted: () => true, excluded: new Map() };
      restrictProvider(t, 'oura', ['no_resale']);
      const pieces = writeExport(services, source, request, plan);
      assert.equal((await pieces.next()).done, false);
      await relabelDevices(t, service, userId, { from: 'apple_health', to: 'oura', name: 'Ring' });
      await assert.rejects(async () => {
        for await (const _piece of pieces);
      }, /unavailable/);
    });
});

describe('an export of a user who stops sharing meanwhile', () => {
  for (const format of FORMATS)
    it(`fails before its last byte: ${format}`, async (t) => {
      const { services } = service.running;
      const { db } = services;
      const user = await openForRead({ services, caller: { tenant }, requestId: '' }, userId);
      const request = parseExportQuery(userId, {
        format,
        ...(format === 'csv' && { resources: 'daily' }),
        ...(format === 'parquet' && { resources: 'daily' }),
      });
      const source = { db, user, isWanted: () => true, excluded: new Map() };
      const plan = { range: await findRange(db, user, request), exclusions: null };
      const pieces = writeExport(services, source, request, plan);
      assert.equal((await pieces.next()).done, false);
      t.after(() => db.query("update users set status = 'active', unshared_at = null where id = $1", [userId]));
      await db.query("update users set status = 'unshared', unshared_at = now() where id = $1", [userId]);
      await assert.rejects(async () => {
        for await (const piece of pieces) assert.doesNotMatch(piece.toString(), /"line":"end"/);
      }, /stopped sharing/);
    });
});

async function readBytes(query: string): Promise<ArrayBuffer> {
  const response = await fetch(`${service.url}${pathOf(query)}`, {
    headers: { authorization: `Bearer ${service.keys.live}` },
  });
  assert.equal(response.status, 200);
  return response.arrayBuffer();
}

/** Times and JSON text as in NDJSON; absent is null. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (typeof value === 'string' && /^[[{]/.test(value)) return JSON.parse(value);
  return value ?? null;
}
