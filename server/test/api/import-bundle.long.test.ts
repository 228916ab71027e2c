// Tests that a bundle gives another deployment the same reads, and what tributary import refuses.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { addDays, type LocalDate } from '../../src/domain/time/calendar.ts';
import { FIXTURE_NOW, uploadFixture } from '../golden/fixture.ts';
import { readEverything } from '../support/all-reads.ts';
import { assertSameState } from '../support/assert-same-state.ts';
import { readMessage, runCli } from '../support/run-cli.ts';
import { liveDays, scoreNow, sitThrough } from '../support/scored-days.ts';
import { createApi, type JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { IPHONE, startPhone } from '../support/test-phone.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { createUser, newReference } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const origin = await startTestService({ clock: createFrozenClock(FIXTURE_NOW) });
const target = await startTestService({ clock: createFrozenClock(FIXTURE_NOW) });
const folder = mkdtempSync(join(tmpdir(), 'import-bundle-'));
after(async () => {
  await origin.stop();
  await target.stop();
  rmSync(folder, { recursive: true });
});

const FROM = '2025-10-20' as LocalDate;
const DAYS = 40;
const PROFILE = { birth_date: '1990-05-17', sex: 'female', height_cm: 171, max_heart_rate: 185 };

/** A seeded sandbox user (three devices, two of them clouds, and baselines) with a phone, a long history and deletions. */
async function populate(service: TestService): Promise<{ id: string; reference: string }> {
  const api = service.api(service.keys.sandbox);
  const reference = newReference();
  const { id } = await createUser(api, {
    external_ref: reference,
    timezone: 'Europe/Berlin',
    profile: PROFILE,
    metadata: { plan: 'pro' },
  });
  const phone = await startPhone(service, id, { key: service.keys.sandbox });
  await phone.upload({ ...liveDays(FROM, DAYS), ...sitThrough('2025-10-24', 6) });
  await phone.upload({ source: IPHONE, ...liveDays(addDays(FROM, 10), 20), ...sitThrough('2025-10-25', 3) });
  await uploadFixture(phone);
  await phone.upload({ deleted: [{ kind: 'sleep', id: `night-${addDays(FROM, 5)}` }] });
  await phone.upload({ source: { provider: 'apple_health', id: 'gone', name: 'Gone' }, ...liveDays('2026-01-01', 3) });
  const { data } = (await api.get(`/v1/users/${id}/devices`)).body as { data: { id: string }[] };
  assert.equal((await api.delete(`/v1/users/${id}/devices/${data.at(-1)?.id}`)).status, 204);
  const settings = { metrics: { steps: { method: 'sum' } }, providers: { apple_health: true } };
  assert.equal((await api.patch(`/v1/users/${id}/consolidation`, settings)).status, 202);
  await waitUntil('the rebuild', async () => {
    const waiting = `select 1 from graphile_worker.jobs where task_identifier = 'rebuild_user'`;
    return (await service.running.services.db.query(waiting)).length === 0;
  });
  await scoreNow(service, id); // a bundle of a user that changes meanwhile breaks off
  return { id, reference };
}

async function exportBundle(service: TestService, userId: string): Promise<string> {
  const { status, text } = await service.api(service.keys.sandbox).get(`/v1/users/${userId}/export?format=bundle`);
  assert.equal(status, 200, text);
  return text;
}

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function importFile(file: string, userId: string, ...options: string[]) {
  const { code, stdout, stderr } = await runCli(target, ['import', file, '--user', userId, '--json', ...options]);
  return { code, stderr: readMessage(stderr), summary: stdout === '' ? null : JSON.parse(stdout) };
}

const createEmpty = (fields: object = {}) =>
  createUser(target.api(target.keys.sandbox), { seed: false, ...fields }) as Promise<{ id: string }>;

/** A user with everything, its bundle, and the user that the bundle was imported into. */
const person = await populate(origin);
const bundle = await exportBundle(origin, person.id);
const copy = await createEmpty({ external_ref: person.reference });

describe('tributary import of a bundle', () => {
  it('restores a user with the same reads in both forms', async () => {
    const { code, stderr, summary } = await importFile(write('all.ndjson', bundle), copy.id);
    assert.deepEqual([code, stderr, summary.rejected, summary.duplicates], [0, '', 0, 0]);
    assert.equal(summary.accepted, summary.records);
    await scoreNow(origin, person.id);
    await scoreNow(target, copy.id);
    const ranges = [
      { from: '2025-10-20', to: '2025-11-03', explained: '2025-10-26' },
      { from: '2026-03-20', to: '2026-03-31', explained: '2026-03-29' },
    ] as { from: LocalDate; to: LocalDate; explained: LocalDate }[];
    for (const range of ranges) {
      const expected = await readEverything(createApi(origin.url, origin.keys.sandbox, false), person.id, range);
      const actual = await readEverything(createApi(target.url, target.keys.sandbox, false), copy.id, range);
      assert.ok(expected.size > 30, String(expected.size));
      assertSameState(actual, expected);
    }
  });

  it('writes the same bundle again', async () => {
    assertSameState(comparable(await exportBundle(target, copy.id)), comparable(bundle));
  });

  it('changes nothing the second time, also from a compressed file', async () => {
    const api = target.api(target.keys.sandbox);
    const before = await api.get(`/v1/users/${copy.id}`);
    const { code, summary } = await importFile(write('all.ndjson.gz', gzipSync(bundle)), copy.id);
    assert.deepEqual([code, summary.accepted, summary.duplicates], [0, 0, summary.records]);
    assert.equal((await api.get(`/v1/users/${copy.id}`)).headers.get('etag'), before.headers.get('etag'));
  });

  it('stores nothing with --dry-run', async () => {
    const { id } = await createEmpty({ external_ref: newReference() });
    const { code, summary } = await importFile(write('all.ndjson', bundle), id, '--dry-run');
    assert.deepEqual([code, summary.accepted], [0, summary.records]);
    await assertEmpty(id);
  });

  it('refuses the bundle of another person unless it is confirmed', async () => {
    const { id } = await createEmpty();
    const file = write('all.ndjson', bundle);
    const { code, stderr } = await importFile(file, id);
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(`reference "${person.reference}".*Nothing was imported.*--same-person "${person.reference}"`),
    );
    const again = await runCli(target, ['import', file, '--user', id, '--json', '--same-person', 'somebody']);
    assert.deepEqual([again.code, JSON.parse(again.stderr).error], [1, 'bundle_of_another_user']);
    await assertEmpty(id);
    assert.equal((await importFile(file, id, '--same-person', person.reference)).code, 0);
  });

  it('refuses a bundle of the sandbox for a live user', async () => {
    const { id } = await createUser(target.api(), { external_ref: person.reference });
    const { code, stderr } = await importFile(write('all.ndjson', bundle), id);
    assert.deepEqual([code, /environment that it was exported from/.test(stderr)], [1, true]);
  });
});

async function assertEmpty(userId: string): Promise<void> {
  const api = target.api(target.keys.sandbox);
  assert.deepEqual((await api.get(`/v1/users/${userId}/devices`)).body.data, []);
}

/** Without what each deployment has of its own. */
function comparable(text: string): JsonBody[] {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonBody);
  return lines.map((line) => {
    if (line.line === 'header') return { ...line, user_id: '', exported_at: 0 };
    if (line.line === 'user') return { ...line, user_id: '', created_at: 0 };
    return line.line === 'end' ? { ...line, sha256: '' } : line;
  });
}

describe('tributary import of a damaged bundle', () => {
  const lines = bundle.trimEnd().split('\n');
  const cases: readonly [name: string, content: string | Buffer, message: RegExp][] = [
    ['that ends early', `${lines.slice(0, 9).join('\n')}\n`, /line 10, column 1: the file ends early/],
    ['that is truncated in its compression', gzipSync(bundle).subarray(0, 5_000), /ends early/],
  ];
  for (const [name, content, message] of cases)
    it(`refuses one ${name}, and imports nothing`, async () => {
      const { id } = await createEmpty();
      const { code, stderr } = await importFile(
        write('damaged.ndjson', content),
        id,
        '--same-person',
        person.reference,
      );
      assert.equal(code, 1);
      assert.match(stderr, message);
      await assertEmpty(id);
    });

  it('imports the records that are possible, and lists the others with their line', async () => {
    const { id } = await createEmpty();
    const at = lines.findIndex((line) => line.includes('"metric":"heart_rate"'));
    const changed = lines.slice(0, -1).map((line, index) => {
      if (index === at) return line.replace(/"value":\[[^,\]]+/, '"value":[9999');
      return index === at + 1 ? line.replace(/"metric":"[^"]+"/, '"metric":"aura"') : line;
    });
    const { code, summary } = await importFile(
      write('odd.ndjson', sign(changed)),
      id,
      '--same-person',
      person.reference,
    );
    assert.deepEqual([code, summary.rejected, Object.keys(summary.skipped)], [0, 1, ['aura']]);
    assert.match(summary.problems[0], new RegExp(`^line ${at + 1}: value\\[0\\] must be between`));
    assert.equal(summary.accepted, summary.records - 1 - summary.skipped.aura);
  });
});

function sign(lines: readonly string[]): string {
  const text = `${lines.join('\n')}\n`;
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ line: 'end', lines: lines.length, sha256 })}\n`;
}
