import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { sampleAt } from '../../../../test/support/generate-samples.ts';
import { getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import { columnsOfSamples, encodeBlock, SampleBlockError } from '../../../domain/packed/sample-blocks/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { inspectBlock, packBlock, unpackBlock } from './block-payload.ts';
import { gatherSamples } from './gather-samples.ts';
import { normalizedSeries } from './normalized-series.ts';

const NOON = Date.UTC(2026, 2, 29, 12);

/** Longer than a computation may block the event loop before it yields. */
function computeForLong(): void {
  const endMs = performance.now() + 6;
  while (performance.now() < endMs);
}

describe('samples of many blocks', () => {
  it('are gathered while other requests run in between', async () => {
    const BLOCKS = 10;
    const metric = 'heart_rate' as MetricId;
    let rounds = 0;
    const counting = { isOver: false };
    const countRounds = () => {
      rounds += 1;
      if (!counting.isOver) setImmediate(countRounds);
    };
    const blocks = Array.from({ length: BLOCKS }, (_, block) => ({
      metric,
      block,
      device: 1 as DeviceNumber,
      open() {
        computeForLong();
        return columnsOfSamples([sampleAt(NOON + block * 1_000)]);
      },
    }));
    setImmediate(countRounds);
    const gathered = await gatherSamples([{ metric, fromMs: NOON, toMs: NOON + MINUTE_MS }], blocks);
    counting.isOver = true;
    assert.equal(gathered.get(metric)?.get(1 as DeviceNumber)?.starts.length, BLOCKS);
    assert.ok(rounds >= BLOCKS, `${rounds} rounds of the event loop`);
  });
});

describe('the payload of a block', () => {
  it('is deflated only if that saves bytes', () => {
    const one = columnsOfSamples([sampleAt(NOON)]);
    const many = columnsOfSamples(
      Array.from({ length: 500 }, (_, index) => sampleAt(NOON + index * 1_000, { value: 60 + (index % 7) })),
    );
    assert.equal(packBlock(one)[0], 0);
    assert.equal(packBlock(many)[0], 1);
    assert.ok(packBlock(many).length < encodeBlock(many).length);
    for (const columns of [one, many]) assert.deepEqual(unpackBlock(packBlock(columns)), columns);
  });

  it('is not deflated for a few samples, but is decoded even if it was', () => {
    const few = columnsOfSamples(
      Array.from({ length: 24 }, (_, index) => sampleAt(NOON + index * 900_000, { value: index * 3 })),
    );
    const bytes = encodeBlock(few);
    const deflated = Buffer.concat([Buffer.of(1), deflateRawSync(bytes)]);
    assert.ok(deflated.length < bytes.length);
    assert.equal(packBlock(few)[0], 0);
    for (const payload of [packBlock(few), deflated]) assert.deepEqual(unpackBlock(payload), few);
  });

  it('throws SampleBlockError if damaged, unknown or too large', () => {
    const bomb = Buffer.concat([Buffer.of(1), deflateRawSync(Buffer.alloc(64_000_000))]);
    for (const payload of [Buffer.of(), Buffer.of(9, 1), Buffer.of(1, 255, 255), Buffer.of(0, 99), bomb])
      assert.throws(() => unpackBlock(payload), SampleBlockError);
  });

  it('can be inspected', () => {
    const samples = [sampleAt(NOON), sampleAt(NOON + 1_500, { value: 1.5, unit: 'Hz', method: 'manual' })];
    const payload = packBlock(columnsOfSamples(samples));
    assert.deepEqual(inspectBlock(payload), {
      compression: 'none',
      storedBytes: payload.length,
      blockBytes: payload.length - 1,
      version: 1,
      count: 2,
      units: ['bpm', 'Hz'],
      runs: [
        { count: 1, unit: 'bpm', offsetMinutes: 60, method: 'automatic' },
        { count: 1, unit: 'Hz', offsetMinutes: 60, method: 'manual' },
      ],
      samples: [
        { start: '2026-03-29T12:00:00Z', end: '2026-03-29T12:00:00Z', value: 71 },
        { start: '2026-03-29T12:00:01.500Z', end: '2026-03-29T12:00:01.500Z', value: 1.5 },
      ],
    });
  });
});

describe('normalizedSeries', () => {
  const oxygen = getMetricOrThrow('blood_oxygen' as MetricId);

  it('converts each run without rounding errors', () => {
    const columns = columnsOfSamples([
      sampleAt(NOON, { value: 97, unit: '%' }),
      sampleAt(NOON + 1, { value: 0.29, unit: 'fraction' }),
      sampleAt(NOON + 2, { value: 0.57, unit: 'fraction' }),
    ]);
    assert.deepEqual(Array.from(normalizedSeries(oxygen, columns).values), [97, 29, 57]);
  });

  it('keeps values in the catalog’s unit unchanged', () => {
    const columns = columnsOfSamples([sampleAt(NOON, { value: 0.1 + 0.2, unit: '%' })]);
    assert.equal(normalizedSeries(oxygen, columns).values, columns.values);
  });
});
