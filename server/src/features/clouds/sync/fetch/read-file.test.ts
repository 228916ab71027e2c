import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createThreadPool, type ThreadPool } from '../../../../platform/threads/thread-pool.ts';
import { readRecording } from '../../../../providers/read-recording.ts';
import { writeFitRecording } from '../../../../simulator/write-fit-recording.ts';
import { type FileServices, readFile } from './read-file.ts';

const START = Date.parse('2026-03-02T06:00:00Z');
const MIB = 1_048_576;
/** With a day of records, more than is read outside of a thread. */
const LARGE = makeRecording(24 * 60 * 4);

function makeRecording(minutes: number): Buffer {
  const endMs = START + minutes * 60_000;
  return writeFitRecording({
    startMs: START,
    endMs,
    sport: 2,
    meters: 9_000,
    bpmAt: (ms) => (ms === START ? null : 140),
  });
}

/** A message that is defined once and then repeated up to the size of the file. */
function repeat(definition: readonly number[], message: readonly number[], size: number): Buffer {
  const file = Buffer.alloc(size, Buffer.from(message));
  const header = Buffer.from([12, 0x20, 0, 0, 0, 0, 0, 0, 0x2e, 0x46, 0x49, 0x54]);
  const rest = size - header.length - definition.length;
  header.writeUInt32LE(definition.length + rest - (rest % message.length), 4);
  Buffer.concat([header, Buffer.from(definition)]).copy(file);
  file.fill(Buffer.from(message), header.length + definition.length);
  return file;
}

function openServices(t: TestContext, pool: Partial<ThreadPool> = {}) {
  const threads = createThreadPool({ threads: 1 });
  t.after(() => threads.close());
  const warnings: unknown[] = [];
  const log = { warn: (fields: unknown) => warnings.push(fields) } as unknown as FileServices['log'];
  return { services: { threads: { ...threads, ...pool }, log }, warnings };
}

describe('the file of a workout', () => {
  it('is read in a thread if it is large, with the same result', async (t) => {
    assert.ok(LARGE.length > 65_536);
    const { services } = openServices(t);
    const { recording } = await readFile(services, 'a', LARGE);
    assert.ok((recording?.route?.length ?? 0) > 5_000);
    assert.deepEqual(recording, readRecording(LARGE));
    const small = makeRecording(25);
    assert.deepEqual((await readFile(services, 'a', small)).recording, readRecording(small));
  });

  it('is null if it is not a FIT file', async (t) => {
    const { services, warnings } = openServices(t);
    for (const size of [10, 100_000])
      assert.equal((await readFile(services, 'a', Buffer.alloc(size, 'x'))).recording, null);
    assert.deepEqual(warnings, []);
  });

  it('may be hostile: it is read or refused, and the next file is read', async (t) => {
    const { services, warnings } = openServices(t);
    const emptyRecords = repeat([0x40, 0, 0, 20, 0, 0], [0], MIB);
    assert.equal((await readFile(services, 'a', emptyRecords)).recording, null);
    const definitionsOnly = repeat([0x40, 0, 0, 20, 0, 0], [0x40, 0, 0, 20, 0, 0], MIB);
    assert.equal((await readFile(services, 'a', definitionsOnly)).recording?.route, null);
    const position = [0x40, 0, 0, 20, 0, 3, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85];
    const equalPoints = repeat(position, [0, 0, 202, 154, 59, 1, 1, 1, 1, 1, 1, 1, 1], MIB);
    assert.equal((await readFile(services, 'a', equalPoints)).recording?.route?.length, 50_000);
    assert.deepEqual((await readFile(services, 'a', LARGE)).recording, readRecording(LARGE));
    assert.deepEqual(warnings, []);
  });

  it('is null if its thread dies, which is logged', async (t) => {
    const { services, warnings } = openServices(t, { run: () => Promise.reject(new Error('thread ended')) });
    assert.equal((await readFile(services, 'a', LARGE)).recording, null);
    assert.equal(warnings.length, 1);
  });
});
