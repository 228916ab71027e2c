// A populated database of a release and what its reads returned: a backup, packed into one file of the repository.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pack, unpack } from '../../src/platform/zstd.ts';
import type { BackupSubject } from './backup-subject.ts';
import type { JsonBody } from './test-api.ts';

type ReleaseFixture = {
  readonly version: string;
  readonly masterKey: string;
  readonly subject: BackupSubject;
  readonly expected: JsonBody;
  /** Of the backup, in base64 by path. */
  readonly files: Readonly<Record<string, string>>;
};

const FOLDER = join(import.meta.dirname, '../upgrade/releases');
const SUFFIX = '.json.zst';

export async function listReleases(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
}

export async function readRelease(version: string): Promise<ReleaseFixture> {
  const bytes = await unpack(await readFile(join(FOLDER, version + SUFFIX)));
  return JSON.parse(bytes.toString('utf8')) as ReleaseFixture;
}

export async function writeRelease(fixture: Omit<ReleaseFixture, 'files'>, backup: string): Promise<void> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(backup, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[path.slice(backup.length + 1)] = (await readFile(path)).toString('base64');
  }
  await mkdir(FOLDER, { recursive: true });
  const bytes = await pack(Buffer.from(JSON.stringify({ ...fixture, files })));
  await writeFile(join(FOLDER, fixture.version + SUFFIX), bytes);
}

export async function unpackBackup({ files }: ReleaseFixture, folder: string): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), Buffer.from(content, 'base64'));
  }
}
