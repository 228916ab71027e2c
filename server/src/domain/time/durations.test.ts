import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import * as durations from './durations.ts';

const SERVER = path.resolve(import.meta.dirname, '../../..');
const DECLARATION = new RegExp(`\\b(?:const|let) (${Object.keys(durations).join('|')})\\b`);

describe('durations', () => {
  it('agree with the calendar', () => {
    const { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS, HOUR_SECONDS, DAY_SECONDS, DAY_MINUTES } = durations;
    const since = (time: string) => Date.parse(`2026-03-0${time}Z`) - Date.parse('2026-03-01T00:00:00Z');
    assert.deepEqual(
      [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS],
      ['1T00:00:01', '1T00:01:00', '1T01:00:00', '2T00:00:00'].map(since),
    );
    assert.deepEqual([HOUR_SECONDS, DAY_SECONDS], [HOUR_MS / SECOND_MS, DAY_MS / SECOND_MS]);
    assert.equal(DAY_MINUTES, DAY_MS / MINUTE_MS);
  });

  it('are declared in one file', () => {
    const files = globSync('{src,test,bench,tools}/**/*.ts', { cwd: SERVER });
    assert.deepEqual(
      files.filter((file) => DECLARATION.test(readFileSync(path.join(SERVER, file), 'utf8'))),
      ['src/domain/time/durations.ts'],
    );
  });
});
