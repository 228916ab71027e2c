import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { METRICS } from '../domain/metrics/index.ts';
import { answer } from './mcp-answer.ts';

describe('answer', () => {
  it('returns what was read, and an error as text', async () => {
    assert.deepEqual(await answer(async () => ({ a: 1 })), { content: [{ type: 'text', text: '{"a":1}' }] });
    const failed = await answer(() => Promise.reject(new Error('No such user.')));
    assert.deepEqual(failed, { isError: true, content: [{ type: 'text', text: 'No such user.' }] });
  });

  it('says what to change if the answer is too long for an assistant', async () => {
    const dates = Array.from({ length: 366 }, () => 1_234);
    const series = Object.fromEntries(METRICS.map(({ id }) => [id, dates]));
    const { isError, content } = await answer(async () => ({ series }));
    assert.equal(isError, true);
    assert.match(content[0]?.text ?? '', /^The answer has \d+ characters.*fewer days or metrics/);
  });
});
