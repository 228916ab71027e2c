// Tests tributary import against the running service.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openPosition } from '../../src/cli/import-position.ts';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { openHere, runImport } from '../../src/features/intake/imports/index.ts';
import { readMessage, runCli } from '../support/run-cli.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { IPHONE, startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock(new Date('2026-03-10T12:00:00Z'));
const service = await startTestService({ clock });
const folder = mkdtempSync(join(tmpdir(), 'import-'));
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});
const api = service.api();

const fixture = (name: string) => join(import.meta.dirname, '../fixtures/imports', name);

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function importFile(file: string, userId: string, ...options: string[]) {
  const { code, stdout, stderr } = await runCli(service, ['import', file, '--user', userId, '--json', ...options]);
  return { code, stderr: readMessage(stderr), summary: stdout === '' ? null : JSON.parse(stdout) };
}

async function readDaily(userId: string, types: string) {
  const path = `/v1/users/${userId}/daily?types=${types}&from_date=2026-03-09&to_date=2026-03-09`;
  const { series } = (await api.get(path)).body;
  return Object.fromEntries(Object.entries(series as Record<string, unknown[]>).map(([id, [value]]) => [id, value]));
}

describe('tributary import of Apple Health', () => {
  it('imports records, sleep and workouts, lists what it rejects, and changes nothing the second time', async () => {
    const user = await createUser(api, { timezone: 'Europe/Berlin' });
    const file = fixture('apple-health.xml');
    const { code, stderr, summary } = await importFile(file, user.id, '--environment', 'live');
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(summary, {
      records: 7,
      accepted: 6,
      duplicates: 0,
      rejected: 2,
      sources: ['Phone', 'Ann’s  Watch', 'Health'],
      skipped: { HKQuantityTypeIdentifierAppleWalkingSteadiness: 1 },
      problems: ['line 19: the value of weight is not a number', 'line 20: value must be between 20 and 250 count/min'],
      error: null,
    });
    const { weight, ...values } = await readDaily(user.id, 'steps,blood_oxygen,weight,asleep,deep_sleep');
    assert.deepEqual(values, { steps: 700, blood_oxygen: 97, asleep: 420, deep_sleep: 120 });
    assert.ok(Math.abs((weight as number) - 69.99) < 0.01);
    const { data } = (await api.get(`/v1/users/${user.id}/workouts?from_date=2026-03-09&to_date=2026-03-09`)).body;
    assert.equal(data[0].sport_type ?? data[0].type, 'running');

    const before = await api.get(`/v1/users/${user.id}`);
    const again = await importFile(file, user.id);
    assert.deepEqual([again.code, again.summary.accepted, again.summary.duplicates], [0, 0, 6]);
    assert.equal((await api.get(`/v1/users/${user.id}`)).headers.get('etag'), before.headers.get('etag'));
  });

  it('says once that nothing was imported, of a small file and of one that a thread reads', async () => {
    const user = await createUser(api);
    const padding = `<!--${'x'.repeat(5_000_000)}-->`;
    const files = {
      'empty.xml': ['<HealthData></HealthData>', 'The file has no records.'],
      'large.xml': [`<HealthData>${padding}</HealthData>`, 'The file has no records.'],
      'bad.xml': ['<HealthData><Record', 'the file ends early.'],
      'large-bad.xml': [`<HealthData>${padding}<Record`, 'the file ends early.'],
    } as const;
    for (const [name, [content, message]] of Object.entries(files)) {
      const { code, stdout, stderr } = await runCli(service, ['import', write(name, content), '--user', user.id]);
      assert.deepEqual([code, stdout], [1, ''], name);
      assert.ok(stderr.includes(message), stderr);
      assert.equal(stderr.split('Nothing was imported.').length, 2, stderr);
    }
  });

  it('imports a source whose long name ends in an emoji', async () => {
    const user = await createUser(api);
    const text = readFileSync(fixture('apple-health.xml'), 'utf8');
    const file = write('emoji.xml', text.replaceAll('sourceName="Phone"', `sourceName="${'x'.repeat(247)}😀"`));
    const { code, stderr, summary } = await importFile(file, user.id);
    assert.deepEqual([code, stderr, summary.accepted], [0, '', 6]);
  });

  it('stores nothing with --dry-run', async () => {
    const user = await createUser(api);
    const { summary } = await importFile(fixture('apple-health.xml'), user.id, '--dry-run');
    assert.deepEqual([summary.accepted, summary.rejected], [6, 2]);
    assert.deepEqual((await api.get(`/v1/users/${user.id}/devices`)).body.data, []);
  });

  it('imports what a truncated file contains, and exits with 1', async () => {
    const user = await createUser(api);
    const text = readFileSync(fixture('apple-health.xml'), 'utf8');
    const file = write('cut.xml', text.slice(0, text.indexOf('<Record type="HKQuantityTypeIdentifierOxygen') + 99));
    const { code, stderr, summary } = await importFile(file, user.id);
    assert.deepEqual([code, summary.accepted], [1, 2]);
    assert.match(stderr, /line 13: the file ends early/);
  });
});

describe('an interrupted import', () => {
  const DAYS = 6_000;
  const FIRST_MS = Date.parse('2008-01-01T07:00:00Z');
  const rows = Array.from(
    { length: DAYS },
    (_, day) => `${new Date(FIRST_MS + day * DAY_MS).toISOString()},${60 + (day % 9)}`,
  );

  it('continues after the recorded batch, and stores every record once', async () => {
    const user = await createUser(api);
    const path = write('weights.csv', `time,weight (kg)\n${rows.join('\n')}\n`);
    const sent: string[] = [];
    /** Fails at a batch, counted from 1 in each run: before it is stored, or after, so that only the answer is lost. */
    const run = async (fails: { at: number; isStored: boolean } | null) => {
      const settings = { userId: user.id as string, format: 'csv', mapping: {}, timezone: null } as const;
      const position = openPosition(folder, path, settings);
      const opened = await openHere(path, settings);
      let batch = 0;
      const send = async (bytes: Uint8Array) => {
        const body = JSON.parse(Buffer.from(bytes).toString());
        batch += 1;
        if (batch === fails?.at && !fails.isStored) throw new Error('interrupted');
        const { status, body: answer, text } = await service.operator().post(`/admin/users/${user.id}/imports`, body);
        assert.equal(status, 200, text);
        sent.push(answer.upload_id);
        if (batch === fails?.at) throw new Error('interrupted');
        return answer;
      };
      const options = { send, from: position.from, positions: position, onProgress: () => undefined };
      return runImport({ read: opened.read, ...options }).finally(opened.close);
    };
    await assert.rejects(run({ at: 2, isStored: false }), /interrupted/);
    await assert.rejects(run({ at: 1, isStored: true }), /interrupted/);
    const { records, accepted, duplicates, rejected, batches } = await run(null);
    assert.deepEqual([records, accepted, duplicates, rejected, batches], [DAYS, DAYS, 0, 0, 3]);
    const [first, second, again, third] = sent;
    assert.equal(sent.length, 4);
    assert.equal(again, second, 'the batch whose answer was lost has the same upload_id');
    assert.equal(new Set([first, second, third]).size, 3);

    const repeated = await run(null); // all over, because the import was finished
    assert.deepEqual([repeated.accepted, repeated.duplicates, repeated.batches], [0, DAYS, 3]);
  });
});

describe('an import beside the uploads of the same phone', () => {
  const upload = {
    source: IPHONE,
    samples: [
      { metric: 'steps', start: '2026-03-09T10:00:00+01:00', end: '2026-03-09T10:05:00+01:00', value: 400 },
      { metric: 'steps', start: '2026-03-09T10:05:00+01:00', end: '2026-03-09T10:10:00+01:00', value: 300 },
    ],
  };
  const table = 'time,end,steps\n2026-03-09T10:00:00+01:00,2026-03-09T10:10:00+01:00,700\n';

  for (const order of ['import first', 'upload first'])
    it(`counts the same steps once per provider with the method sum, otherwise once (${order})`, async () => {
      const user = await createUser(api, { timezone: 'Europe/Berlin' });
      const phone = await startPhone(service, user.id);
      if (order === 'upload first') await phone.upload(upload);
      await importFile(fixture('apple-health.xml'), user.id);
      if (order === 'import first') await phone.upload(upload);
      assert.deepEqual(await readDaily(user.id, 'steps'), { steps: 700 });
      await importFile(write('steps.csv', table), user.id);
      assert.deepEqual(await readDaily(user.id, 'steps'), { steps: 700 });
      await api.patch(`/v1/users/${user.id}/consolidation`, { metrics: { steps: { method: 'sum' } } });
      await waitUntil('the sum', async () => (await readDaily(user.id, 'steps')).steps === 1_400);
    });
});

describe('the audit log of an import', () => {
  it('has one entry per source and hour, and no read of health data', async () => {
    const user = await createUser(api);
    const { auditTrail, db } = service.running.services;
    const file = fixture('apple-health.xml');
    await importFile(file, user.id, '--dry-run');
    await importFile(file, user.id);
    const more = 'time,weight (kg)\n2026-03-09T09:00:00Z,';
    for (const value of [71, 72]) await importFile(write(`${value}.csv`, `${more}${value}\n`), user.id);
    const entries = await db.query<{ actor: string; subject: string; details: Record<string, string> }>(
      `select actor, subject, details from audit_log where user_id = $1 and action = 'user.data_imported' order by id`,
      [user.id],
    );
    assert.deepEqual(
      entries.map(({ actor, subject, details }) => [actor, subject, details.provider, details.source]),
      [
        ['cli', user.id, 'apple_health', 'Phone'],
        ['cli', user.id, 'apple_health', 'Ann’s  Watch'],
        ['cli', user.id, 'apple_health', 'Health'],
        ['cli', user.id, 'file', 'Imported table'],
      ],
    );
    assert.match(entries[0]?.details.upload_id ?? '', /^[\da-f-]{36}$/);
    await auditTrail.flush();
    const trail = await db.query<{ entry: string }>(
      `select entry::text from audit_inbox union all select entry::text from audit_trail`,
    );
    const reads = trail.map(({ entry }) => JSON.parse(entry)).filter(({ subject }) => subject === 'imports');
    assert.deepEqual(reads, []);
  });
});

describe('tributary import of files that cannot be imported', () => {
  const cases: readonly [name: string, path: () => string, message: RegExp][] = [
    ['an empty file', () => write('empty.xml', ''), /is empty/],
    ['a folder', () => folder, /is a folder/],
    ['a missing file', () => join(folder, 'nothing'), /does not exist/],
    ['a PDF', () => write('report.pdf', '%PDF-1.7 …'), /It is a PDF document/],
    ['a truncated zip file', () => write('cut.zip', 'PK\u0003\u0004 and nothing more'), /damaged or truncated/],
  ];
  for (const [name, path, message] of cases)
    it(`refuses ${name}`, async () => {
      const user = await createUser(api);
      const { code, stderr } = await importFile(path(), user.id);
      assert.equal(code, 1);
      assert.match(stderr, message);
    });

  it('refuses an unknown user, and a user of another environment', async () => {
    const user = await createUser(api);
    const file = fixture('apple-health.xml');
    assert.match((await importFile(file, ABSENT_ID)).stderr, /not found/i);
    assert.match((await importFile(file, user.id, '--environment', 'sandbox')).stderr, /environment live, not sandbox/);
  });
});
