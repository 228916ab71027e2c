import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { createServerLog, parseServerLine } from './server-log.ts';

async function feed(lines: string[]) {
  const written: string[] = [];
  const note = (level: string) => (_fields: object, message: string) => void written.push(`${level} ${message}`);
  let nowMs = 0;
  const serverLog = createServerLog(
    { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
    () => nowMs,
  );
  const stream = Readable.from(lines.map((line) => `${line}\n`));
  serverLog.follow(stream);
  await new Promise((resolve) => stream.once('close', resolve));
  nowMs += 10_000;
  return { written, serverLog };
}

describe('the log of the server', () => {
  it('is forwarded with the matching level', async () => {
    const { written } = await feed(['LOG:  starting', 'WARNING:  careful', 'FATAL:  the end', '\tcontinued']);
    assert.deepEqual(written, ['debug starting', 'warn careful', 'error the end', 'debug continued']);
  });

  it('omits messages about connections during the start', async () => {
    const { written, serverLog } = await feed(['FATAL:  the database system is starting up', '']);
    assert.deepEqual([written, serverLog.listLastLines()], [[], []]);
  });

  it('is limited in volume, but always keeps the last lines', async () => {
    const { written, serverLog } = await feed(Array.from({ length: 500 }, (_, index) => `LOG:  line ${index}`));
    assert.equal(written.length, 100);
    assert.equal(serverLog.listLastLines().at(-1), 'LOG:  line 499');
    assert.equal(serverLog.listLastLines().length, 20);
    serverLog.forgetLines();
    assert.deepEqual(serverLog.listLastLines(), []);
  });

  it('is parsed with and without the program name', () => {
    assert.deepEqual(parseServerLine('postgres: FATAL:  no'), { severity: 'FATAL', text: 'no' });
    assert.deepEqual(parseServerLine('anything else'), { severity: 'LOG', text: 'anything else' });
  });
});
