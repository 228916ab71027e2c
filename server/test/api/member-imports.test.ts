// Tests the upload and import of files by members of the dashboard.
import assert from 'node:assert/strict';
import fs, { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import type { AccountId, UserId } from '../../src/domain/tenancy.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import {
  createImportThreads,
  type ImportThreads,
  startImportContinuation,
  sweepFolders,
} from '../../src/features/intake/imports/index.ts';
import { openImportFolder } from '../../src/features/intake/imports/member-uploads/import-folder.ts';
import type { MemberImport } from '../../src/features/intake/imports/member-uploads/member-import.ts';
import { runMemberImport } from '../../src/features/intake/imports/member-uploads/run-member-import.ts';
import { openUser } from '../../src/features/tenancy/user-core/index.ts';
import { assertEvery } from '../support/assert-every.ts';
import type { JsonBody, TestApi } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { IPHONE, startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock(new Date('2026-03-10T12:00:00Z'));
const service = await startTestService({ clock });
after(() => service.stop());
const { importFolder } = service.running.services.settings;
const LIMIT_MS = 60_000;
const CSV = 'time,weight (kg)\n2026-03-01T08:00:00Z,70.5\n2026-03-02T08:00:00Z,70.1\n2026-03-03T08:00:00Z,heavy\n';

async function openScene() {
  const account = await createAccount(service);
  const { cookie } = await createMember(service, account.name, 'developer');
  const live = service.api(account.live);
  const userId = (await createUser(live)).id as string;
  const path = `/dashboard/api/live/users/${userId}/imports`;
  return { account, cookie, live, userId, path, member: memberApi(service, cookie) };
}

/** The test client sends JSON only. */
async function putPart(cookie: string, path: string, bytes: string | Buffer) {
  const response = await fetch(`${service.url}${path}`, {
    method: 'PUT',
    headers: { cookie, 'content-type': 'application/octet-stream', 'x-tributary': 'dashboard', origin: service.url },
    body: bytes,
  });
  return { status: response.status, body: (await response.json()) as JsonBody };
}

const waitForEnd = (member: TestApi, path: string) =>
  waitUntil(
    'the import has ended',
    async (): Promise<JsonBody | undefined> => {
      const { body } = await member.get(path);
      return body.current !== null && !['uploading', 'running'].includes(body.current.status)
        ? body.current
        : undefined;
    },
    LIMIT_MS,
  );

/** The import of a file that is complete, with these threads. */
async function startImport(importThreads: ImportThreads, { name, content }: { name: string; content: string }) {
  const scene = await openScene();
  const { services } = service.running;
  const begun = await scene.member.post(scene.path, { file_name: name, size_bytes: content.length });
  const folder = openImportFolder(importFolder, scene.account.id);
  writeFileSync(folder.path(name), content);
  const uploading = folder.readActive() ?? assert.fail('no folder');
  const state = { ...uploading, received_bytes: content.length, status: 'running' } as const;
  folder.save(state);
  const tenant = { accountId: scene.account.id as AccountId, environment: 'live' } as const;
  const user = (await openUser(services.db, tenant, scene.userId as UserId)) ?? assert.fail('no user');
  const options = folder.readOptions() ?? assert.fail('no options');
  const ended = runMemberImport({ ...services, importThreads }, { folder, state, user, options });
  return { ...scene, folder, importId: begun.body.id as string, ended };
}

/** From now on the disk has one free gigabyte. */
function fillDisk(t: TestContext): void {
  t.mock.method(fs, 'statfsSync', () => ({ bavail: 1_024, bsize: 1_048_576, blocks: 102_400 }));
  syncBuiltinESMExports();
  t.after(() => syncBuiltinESMExports());
}

describe('the import of a file by a member', () => {
  it('stores the records, says what could not be read, and deletes the file', async () => {
    const { cookie, live, userId, path, member, account } = await openScene();
    const file = { file_name: '../../weights.csv', size_bytes: CSV.length, timezone: 'Europe/Berlin' };
    const begun = await member.post(path, file);
    assert.equal(begun.status, 200, begun.text);
    assert.deepEqual([begun.body.status, begun.body.file_name], ['uploading', 'weights.csv']);
    const parts = `${path}/${begun.body.id}/parts`;
    assert.equal((await putPart(cookie, `${parts}/5`, 'x')).status, 400, 'a gap');
    assert.equal((await putPart(cookie, `${parts}/0`, CSV.slice(0, 40))).body.received_bytes, 40);
    assert.equal((await putPart(cookie, `${parts}/0`, CSV.slice(0, 40))).body.received_bytes, 40, 'sent twice');
    assert.equal((await putPart(cookie, `${parts}/40`, `${CSV.slice(40)}more`)).status, 400, 'too long');
    assert.equal((await putPart(cookie, `${parts}/40`, CSV.slice(40))).body.status, 'running');
    const ended = await waitForEnd(member, path);
    assert.deepEqual(
      [ended.status, ended.format, ended.records, ended.accepted, ended.rejected],
      ['done', 'csv', 2, 2, 1],
      JSON.stringify(ended),
    );
    assert.match(ended.problems[0], /line 4/);
    assert.deepEqual(readdirSync(join(importFolder, readdirSync(importFolder)[0] ?? '')), ['last.json']);
    const { body } = await live.get(`/v1/users/${userId}/daily?types=weight&from_date=2026-03-01&to_date=2026-03-02`, {
      headers: { 'api-form': '2' },
    });
    assert.deepEqual(body.series.weight, [70.5, 70.1]);
    const audited = await service.running.services.db.query<{ action: string }>(
      'select action from audit_log where user_id = $1 and actor = $2 order by at, action',
      [userId, 'member'],
    );
    assert.ok(audited.some(({ action }) => action === 'user.import_started') && account.name);
    assert.ok(audited.some(({ action }) => action === 'user.data_imported'));
  });

  it('507 for a part that would fill the disk, though the import began with enough space', async (t) => {
    const { cookie, path, member } = await openScene();
    const begun = await member.post(path, { file_name: 'weights.csv', size_bytes: CSV.length });
    const part = `${path}/${begun.body.id}/parts/0`;
    fillDisk(t);
    const refused = await putPart(cookie, part, CSV);
    assert.deepEqual([refused.status, refused.body.error], [507, 'storage_full']);
    t.mock.restoreAll();
    syncBuiltinESMExports();
    assert.equal((await putPart(cookie, part, CSV)).body.status, 'running');
    assert.equal((await waitForEnd(member, path)).status, 'done');
  });

  it('runs once if the last part is sent twice at the same time', async () => {
    const { cookie, path, member } = await openScene();
    const begun = await member.post(path, { file_name: 'weights.csv', size_bytes: CSV.length });
    const part = `${path}/${begun.body.id}/parts/0`;
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => putPart(cookie, part, CSV)))).map(
      ({ status }) => status,
    );
    assertEvery(statuses, (status) => status === 200 || status === 404, String(statuses));
    const { status, accepted, duplicates } = await waitForEnd(member, path);
    assert.deepEqual([status, accepted, duplicates], ['done', 2, 0]);
  });

  it('answers other requests while it reads a large file', async () => {
    const { cookie, live, userId, path, member } = await openScene();
    const record = '<Record type="HKUnknown" startDate="2026-03-09 10:00:00 +0100" value="1"/>\n';
    const file = Buffer.from(`<HealthData>\n${record.repeat(150_000)}</HealthData>`);
    const begun = await member.post(path, { file_name: 'export.xml', size_bytes: file.length });
    const PART = 4_194_304;
    for (let offset = 0; offset < file.length; offset += PART)
      await putPart(cookie, `${path}/${begun.body.id}/parts/${offset}`, file.subarray(offset, offset + PART));
    let answered = 0;
    const ended = { isReached: false };
    const result = waitForEnd(member, path).finally(() => {
      ended.isReached = true;
    });
    while (!ended.isReached) {
      assert.equal((await live.get(`/v1/users/${userId}`)).status, 200);
      answered += 1;
    }
    assert.deepEqual((await result).skipped, { HKUnknown: 150_000 });
    assert.ok(answered >= 3, `${answered} requests were answered during the import`);
  });

  it('ends soon after it is cancelled, also while it reads a file without a record to store', async () => {
    const record = '<Record type="HKUnknown" startDate="2026-03-09 10:00:00 +0100" value="1"/>\n';
    const { folder, importId, path, member, ended } = await startImport(service.running.services.importThreads, {
      name: 'export.xml',
      content: `<HealthData>\n${record.repeat(1_000_000)}</HealthData>`,
    });
    await waitUntil('the file is read', () => folder.readActive()?.format === 'apple-health');
    assert.equal((await member.delete(`${path}/${importId}`)).status, 200);
    await ended;
    const last = folder.readLast();
    assert.deepEqual([last?.id, last?.status, last?.error], [importId, 'cancelled', null]);
  });

  it('leaves its thread to a file of another account, and continues behind it', async () => {
    const threads = createImportThreads({ threads: 1, sliceMs: 0 });
    const DAYS = 10_000;
    const rows = Array.from(
      { length: DAYS },
      (_, day) => `${new Date(day * DAY_MS).toISOString()},${60 + (day % 20)}\n`,
    );
    const large = await startImport(threads, { name: 'large.csv', content: `time,weight (kg)\n${rows.join('')}` });
    await waitUntil('a part of it is stored', () => large.folder.readPosition() !== null);
    const small = await startImport(threads, { name: 'small.csv', content: CSV });
    await small.ended;
    assert.equal(small.folder.readLast()?.accepted, 2);
    assert.equal(large.folder.readActive()?.status, 'running');
    await large.ended;
    await threads.close();
    const { status, records, accepted, duplicates } = large.folder.readLast() ?? assert.fail('no result');
    assert.deepEqual([status, records, accepted, duplicates], ['done', DAYS, DAYS, 0]);
  });

  it('accepts a long name in any script', async () => {
    const { cookie, path, member } = await openScene();
    const begun = await member.post(path, { file_name: `${'健康'.repeat(100)}.csv`, size_bytes: CSV.length });
    const sent = await putPart(cookie, `${path}/${begun.body.id}/parts/0`, CSV);
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    assert.equal((await waitForEnd(member, path)).format, 'csv');
  });

  it('fails with a message that names no folder of the service', async () => {
    const { cookie, path, member } = await openScene();
    const begun = await member.post(path, { file_name: 'letter.pdf', size_bytes: 8 });
    await putPart(cookie, `${path}/${begun.body.id}/parts/0`, '%PDF-1.7');
    const { status, error } = await waitForEnd(member, path);
    assert.equal(status, 'failed');
    assert.match(error, /^letter\.pdf has no format/);
  });

  it('409 while another file is imported for the account, until that is cancelled', async () => {
    const { live, path, member } = await openScene();
    const file = { file_name: 'a.csv', size_bytes: 10 };
    const first = await member.post(path, file);
    const other = `/dashboard/api/live/users/${(await createUser(live)).id}/imports`;
    const refused = await member.post(other, file);
    assert.deepEqual([refused.status, refused.body.error], [409, 'import_in_progress']);
    assert.deepEqual((await member.get(other)).body, { current: null, is_busy_elsewhere: true });
    assert.equal((await member.delete(`${other}/${first.body.id}`)).status, 404, 'of another user');
    assert.equal((await member.delete(`${path}/${first.body.id}`)).body.status, 'cancelled');
    assert.equal((await member.post(other, file)).status, 200);
  });

  it('400 for a file that is too large or has no time zone, and 403 for a viewer', async () => {
    const { account, path, member } = await openScene();
    assert.equal((await member.post(path, { file_name: 'a.csv', size_bytes: 2 ** 40 })).status, 400);
    assert.equal((await member.post(path, { file_name: 'a.csv', size_bytes: 1, timezone: 'Mars' })).status, 400);
    const { cookie } = await createMember(service, account.name, 'viewer');
    assert.equal((await memberApi(service, cookie).post(path, { file_name: 'a.csv', size_bytes: 1 })).status, 403);
  });

  it('deletes the file of an upload that nobody continues, and says so', async () => {
    const { cookie, path, member } = await openScene();
    const begun = await member.post(path, { file_name: 'a.csv', size_bytes: 10 });
    await putPart(cookie, `${path}/${begun.body.id}/parts/0`, 'time');
    const files = () =>
      readdirSync(importFolder, { recursive: true }).filter((name) => String(name).endsWith('a.csv')).length;
    writeFileSync(join(importFolder, 'position.json'), '{}'); // of an import by the command line
    assert.equal(files(), 1);
    sweepFolders(importFolder, new Date(clock.now().getTime() + 9 * MINUTE_MS));
    assert.equal(files(), 1);
    sweepFolders(importFolder, clock.now(), { isStart: true });
    assert.equal(files(), 1, 'the page continues after a restart');
    sweepFolders(importFolder, new Date(clock.now().getTime() + 11 * MINUTE_MS));
    assert.equal(files(), 0);
    rmSync(join(importFolder, 'position.json'));
    const { current } = (await member.get(path)).body;
    assert.deepEqual([current.status, /did not continue/.test(current.error)], ['failed', true]);
    assert.ok(existsSync(importFolder));
  });

  it('deletes it without another call, and the file and the result of a user that another machine erased', async () => {
    const abandoned = await openScene();
    const erased = await openScene();
    for (const { path, member, cookie } of [abandoned, erased]) {
      const { body: begun } = await member.post(path, { file_name: 'left.csv', size_bytes: CSV.length });
      await putPart(cookie, `${path}/${begun.id}/parts/0`, CSV.slice(0, 40));
    }
    const isLeft = (name: string) => existsSync(join(importFolder, name, 'active', 'file', 'left.csv'));
    const homeOf = ({ userId }: typeof erased) =>
      readdirSync(importFolder).find((name) => openImportFolder(importFolder, name).readActive()?.user_id === userId) ??
      '';
    const homes = [homeOf(abandoned), homeOf(erased)] as const;
    const kept = join(importFolder, '..', 'kept');
    cpSync(join(importFolder, homes[1]), kept, { recursive: true });
    cpSync(join(kept, 'active', 'state.json'), join(kept, 'last.json'));
    assert.equal((await erased.live.delete(`/v1/users/${erased.userId}`)).status, 202);
    await waitUntil('erasure', () => readdirSync(join(importFolder, homes[1])).length === 0, LIMIT_MS);
    cpSync(kept, join(importFolder, homes[1]), { recursive: true }); // as if its worker had another folder
    clock.advance(11 * MINUTE_MS);
    assertEvery(homes, isLeft);
    const loop = startImportContinuation(service.running.services, { isAlone: false });
    await loop.stop();
    assert.deepEqual(
      homes.map((home) => readdirSync(join(importFolder, home))),
      [['last.json'], []],
    );
  });

  it('fails an import if the service crashes three times at the same place of the file', async () => {
    const { path, member } = await openScene();
    const begun = await member.post(path, { file_name: 'poison.csv', size_bytes: 10 });
    const isHome = (name: string) => openImportFolder(importFolder, name).readActive()?.id === begun.body.id;
    const home = readdirSync(importFolder).find(isHome) ?? assert.fail('no folder');
    const folder = openImportFolder(importFolder, home);
    const running = { ...(begun.body as MemberImport), environment: 'live', status: 'running' } as const;
    folder.save(running);
    for (const attempt of [1, 2, 3]) assert.equal(folder.countAttempt(running), attempt);
    const loop = startImportContinuation(service.running.services, { isAlone: true });
    const { status, error } = await waitForEnd(member, path);
    await loop.stop();
    assert.deepEqual([status, existsSync(join(importFolder, home, 'active'))], ['failed', false]);
    assert.match(error, /ended 3 times while it imported this file/);
  });

  it('keeps nothing of a user that is erased, during an upload or after the import', async () => {
    const { live, path, member, cookie, userId } = await openScene();
    const { body: done } = await member.post(path, { file_name: 'mine.csv', size_bytes: CSV.length });
    await putPart(cookie, `${path}/${done.id}/parts/0`, CSV);
    await waitForEnd(member, path);
    const { body: begun } = await member.post(path, { file_name: 'mine.csv', size_bytes: CSV.length });
    await putPart(cookie, `${path}/${begun.id}/parts/0`, CSV.slice(0, 40));
    const home = readdirSync(importFolder).find((name) =>
      existsSync(join(importFolder, name, 'active', 'file', 'mine.csv')),
    );
    assert.ok(home !== undefined && existsSync(join(importFolder, home, 'last.json')));
    const late = openImportFolder(importFolder, home);
    assert.equal((await live.delete(`/v1/users/${userId}`)).status, 202);
    await waitUntil('erasure', () => readdirSync(join(importFolder, home)).length === 0, LIMIT_MS);
    late.finish(begun as MemberImport); // as an import that still ran
    late.save(begun as MemberImport);
    assert.ok(late.isCancelled(begun as MemberImport));
    assert.deepEqual(readdirSync(join(importFolder, home)), []);
  });

  it('keeps the result of another user of the account', async () => {
    const { live, path, member, cookie } = await openScene();
    const { body } = await member.post(path, { file_name: 'kept.csv', size_bytes: CSV.length });
    await putPart(cookie, `${path}/${body.id}/parts/0`, CSV);
    await waitForEnd(member, path);
    const other = (await createUser(live)).id as string;
    await live.delete(`/v1/users/${other}`);
    const { db } = service.running.services;
    await waitUntil('erasure', async () => (await db.query('select 1 from users where id = $1', [other])).length === 0);
    assert.equal((await member.get(path)).body.current.file_name, 'kept.csv');
  });
});

describe('the import of a bundle by a member', () => {
  const SAMPLES = [
    { metric: 'steps', start: '2026-03-09T10:00:00Z', end: '2026-03-09T10:05:00Z', value: 400 },
    { metric: 'heart_rate', start: '2026-03-09T10:00:00Z', value: 71 },
  ];

  async function send(scene: Awaited<ReturnType<typeof openScene>>, path: string, bytes: Buffer) {
    const begun = await scene.member.post(path, { file_name: 'person.bundle', size_bytes: bytes.length });
    assert.equal(begun.status, 200, begun.text);
    await putPart(scene.cookie, `${path}/${begun.body.id}/parts/0`, bytes);
    return waitForEnd(scene.member, path);
  }

  it('restores the data of the same person, and refuses the bundle of another', async () => {
    const scene = await openScene();
    const phone = await startPhone(service, scene.userId, { key: scene.account.live });
    await phone.upload({ source: IPHONE, samples: SAMPLES });
    const bundle = Buffer.from((await scene.live.get(`/v1/users/${scene.userId}/export?format=bundle`)).text);

    const same = await send(scene, scene.path, bundle);
    assert.deepEqual(
      [same.status, same.format, same.records, same.accepted, same.duplicates, same.error],
      ['done', 'bundle', 2, 0, 2, null],
      JSON.stringify(same),
    );
    const other = (await createUser(scene.live)).id as string;
    const refused = await send(scene, `/dashboard/api/live/users/${other}/imports`, bundle);
    assert.equal(refused.status, 'failed');
    assert.match(
      refused.error,
      /^The bundle comes from the user with the reference ".+", but this user has another reference\. Nothing/,
    );
    assert.deepEqual((await scene.live.get(`/v1/users/${other}/devices`)).body.data, []);
    const cut = await send(scene, scene.path, bundle.subarray(0, bundle.length - 20));
    assert.match(cut.error, /ends early/);
  });
});
