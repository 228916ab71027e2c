import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSampleIdTemplate, stableId } from './stable-id.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const START = Date.parse('2026-03-09T08:30:00Z');

// Importers replace documents by these ids, so they must never change.
it('stableId is a UUID that depends on each part', () => {
  assert.match(stableId('a', 1), UUID);
  assert.equal(stableId('a', 1), stableId('a', '1'));
  assert.notEqual(stableId('a', 1), stableId('a', 2));
  assert.equal(stableId('a', 1), '4f395a2e-9ea1-8068-8348-d38413545827');
  assert.equal(stableId('µ', 'sample', 3), '0b9e4f6a-e02a-84f0-9a83-2412d66ff3d7');
});

describe('createSampleIdTemplate', () => {
  const sampleId = (userId: string, metricId: string, startMs: number, nth = 0) =>
    createSampleIdTemplate('', userId, metricId)(startMs, nth).toString();

  it('writes a UUID that begins with the time and never changes', () => {
    assert.equal(sampleId('a', 'steps', START), '019cd1b7-a740-832a-88e8-cb3df5866076');
    assert.ok(sampleId('a', 'steps', START).startsWith(START.toString(16).padStart(12, '0').slice(0, 8)));
  });

  it('depends on user, metric, start and position', () => {
    const starts = [-(2 ** 40), -1, 0, 1, 65_535, 65_536, START, START + 1, START + 65_536, 253_402_300_799_999];
    const ids = starts.flatMap((start) =>
      [0, 1, 256].flatMap((nth) => [sampleId('a', 'steps', start, nth), sampleId('a', 'heart_rate', start, nth)]),
    );
    ids.push(sampleId('b', 'steps', START));
    for (const id of ids) assert.match(id, UUID);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('writes after a text, over the previous id', () => {
    const idAfter = createSampleIdTemplate('"µ":"', 'a', 'steps');
    idAfter(START + 123_456_789, 3);
    assert.equal(idAfter(START, 0).toString(), `"µ":"${sampleId('a', 'steps', START)}`);
  });
});
