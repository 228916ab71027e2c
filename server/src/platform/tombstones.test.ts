import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createDerivedSecrets } from './crypto/derived-secret.ts';
import { createLogger } from './log.ts';
import { createTombstones, hashSubject, readTombstones, requireTombstoneFile } from './tombstones.ts';

const derivedSecrets = createDerivedSecrets(() => Buffer.alloc(32, 7));
const clock = { now: () => new Date('2026-03-09T10:00:00Z'), monotonicMs: () => 0 };
const log = createLogger('silent');

async function makeFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-tombstones-'));
  t.after(() => rm(folder, { recursive: true }));
  return join(folder, 'new', 'tombstones.jsonl');
}

describe('tombstones', () => {
  it('are keyed hashes, once each, in a file of the owner', async (t) => {
    const file = await makeFile(t);
    assert.deepEqual(await readTombstones(file), []);
    const tombstones = createTombstones({ file, derivedSecrets, clock, log });
    await Promise.all([tombstones.add('user', 'ada'), tombstones.add('user', 'ada'), tombstones.add('api_key', 'ada')]);
    const subjects = (await readTombstones(file)).map(({ kind, subject }) => `${kind} ${subject}`).sort();
    assert.deepEqual(subjects, [
      `api_key ${hashSubject(derivedSecrets, 'api_key', 'ada')}`,
      `user ${hashSubject(derivedSecrets, 'user', 'ada')}`,
    ]);
    assert.doesNotMatch(await readFile(file, 'utf8'), /ada/);
    assert.equal((await stat(file)).mode & 0o077, 0);
  });

  it('have the newest time, also if an older line is written later', async (t) => {
    const file = await makeFile(t);
    const tombstones = createTombstones({ file, derivedSecrets, clock, log });
    await tombstones.add('user_left', 'ada');
    await tombstones.add('user_left', 'ada', new Date('2026-03-08T10:00:00Z'));
    assert.deepEqual(
      (await readTombstones(file)).map(({ at }) => at),
      ['2026-03-09T10:00:00.000Z'],
    );
  });

  it('survive a line that a kill cut off, and nothing else', async (t) => {
    const file = await makeFile(t);
    const tombstones = createTombstones({ file, derivedSecrets, clock, log });
    await tombstones.add('user', 'ada');
    await appendFile(file, '{"at":"2026-03-09T10:0');
    assert.equal((await readTombstones(file)).length, 1);
    await tombstones.add('user', 'bob');
    assert.equal((await readTombstones(file)).length, 2);
    await appendFile(file, 'something else\n');
    await assert.rejects(readTombstones(file), /Line 3 of .* is not a tombstone\. Correct or remove the line/);
  });

  it('have a file from the start of the service on', async (t) => {
    const file = await makeFile(t);
    requireTombstoneFile(file);
    assert.deepEqual([await readFile(file, 'utf8'), (await stat(file)).mode & 0o077], ['', 0]);
    await appendFile(file, 'kept');
    requireTombstoneFile(file);
    assert.equal(await readFile(file, 'utf8'), 'kept');
    assert.throws(
      () => requireTombstoneFile(join(file, 'below-a-file')),
      /The tombstones cannot be written to .*below-a-file: .*TRIBUTARY_TOMBSTONE_FILE/,
    );
  });

  it('that cannot be written fail a job, and only the log of a request', async (t) => {
    const file = join(await makeFile(t), '\0');
    const tombstones = createTombstones({ file, derivedSecrets, clock, log });
    await assert.rejects(tombstones.add('user', 'ada'));
    await tombstones.tryToAdd('user', 'ada');
  });
});
