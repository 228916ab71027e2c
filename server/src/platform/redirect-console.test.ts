import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogger } from './log.ts';
import { redirectConsole } from './redirect-console.ts';

describe('redirectConsole', () => {
  it('writes what libraries print to the log, without the fields of an error', () => {
    const lines: string[] = [];
    const fail = (...printed: unknown[]): void => assert.fail(printed.join());
    const target = { error: fail, info: fail, log: fail, trace: fail, warn: fail };
    redirectConsole(createLogger('warn', { write: (line) => void lines.push(line) }), target);
    target.trace(Object.assign(new Error('connection lost'), { client: { password: 'secret' } }));
    target.warn('retried %d times:', 3, new Error('still away'));
    target.log('chatter');
    const entries = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      entries.map(({ level, printed, err }) => [level, printed, err.message]),
      [
        ['warn', '', 'connection lost'],
        ['warn', 'retried 3 times:', 'still away'],
      ],
    );
    assert.doesNotMatch(lines.join(), /secret/);
  });
});
