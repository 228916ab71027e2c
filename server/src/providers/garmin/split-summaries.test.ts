import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GARMIN_WEBHOOK } from './webhook.ts';

type Summary = { readonly summaryId: string; readonly startTimeInSeconds: number };

const QUARTER_HOUR_S = 900;
const PADDING = 'x'.repeat(10_000);

function readParts(name: string, items: readonly object[]): Summary[][] {
  const body = Buffer.from(JSON.stringify({ [name]: items }));
  return GARMIN_WEBHOOK.readWebhookItems(body).map((read) => {
    assert.ok(read.kind === 'pushed' && read.resource === name);
    return read.body as Summary[];
  });
}
const summary = (index: number, start: number) => ({
  userId: 'ada',
  summaryId: `s-${index}`,
  startTimeInSeconds: start,
  padding: PADDING,
});
const idsOf = (parts: readonly Summary[][]) => parts.flat().map(({ summaryId }) => summaryId);

describe('summaries of one person', () => {
  it('are one part if they are small', () => {
    assert.equal(readParts('dailies', [summary(1, 0), summary(2, QUARTER_HOUR_S)]).length, 1);
  });

  it('are split into parts of 256 KiB, complete and in order', () => {
    const items = Array.from({ length: 200 }, (_, index) => summary(index, index * QUARTER_HOUR_S));
    const parts = readParts('dailies', items);
    assert.equal(parts.length, 8);
    for (const part of parts) assert.ok(JSON.stringify(part).length <= 262_144 + part.length);
    assert.deepEqual(
      idsOf(parts),
      items.map(({ summaryId }) => summaryId),
    );
  });

  it('stay together if they are epochs of one quarter hour, wherever they are in the list', () => {
    const items = Array.from({ length: 200 }, (_, index) => summary(index, (index % 10) * QUARTER_HOUR_S));
    const parts = readParts('epochs', items);
    assert.ok(parts.length > 1);
    assert.equal(new Set(idsOf(parts)).size, 200);
    const starts = parts.flatMap((part) => [...new Set(part.map(({ startTimeInSeconds }) => startTimeInSeconds))]);
    assert.equal(new Set(starts).size, starts.length);
  });

  it('stand without those that cannot be read', () => {
    const bad = [7, null, { ...summary(3, 0), userId: {} }, { summaryId: 's-4' }] as object[];
    const parts = readParts('epochs', [...bad, { ...summary(1, 0), startTimeInSeconds: 'x' }, summary(2, 0)]);
    assert.deepEqual(idsOf(parts), ['s-1', 's-2']);
  });
});
