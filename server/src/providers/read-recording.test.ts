import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeFitRecording } from '../simulator/write-fit-recording.ts';
import { ProviderAnswerError } from './provider-answer-error.ts';
import { readRecording } from './read-recording.ts';

const START = Date.parse('2026-03-02T06:00:00Z');
const FILE = writeFitRecording({
  startMs: START,
  endMs: START + 25 * 60_000,
  sport: 2,
  meters: 9_000,
  bpmAt: (ms) => (ms === START ? null : 140),
});

describe('readRecording', () => {
  it('returns heart rates, route, laps and the sport', () => {
    const recording = readRecording(FILE);
    assert.equal(recording?.sport, 'cycling');
    assert.equal(recording.heartRateSamples?.length, 25);
    assert.equal(recording.route?.length, 26);
    const [first] = recording.route ?? [];
    assert.equal(first?.time, START);
    assert.ok(Math.abs((first?.latitude ?? 0) - 52.44) < 1e-6, String(first?.latitude));
    assert.deepEqual(
      recording.laps?.map(({ start, end, distanceKm }) => [(end - start) / 60_000, distanceKm]),
      [
        [10, 3.6],
        [10, 3.6],
        [5, 1.8],
      ],
    );
  });

  it('returns null without a file, and throws ProviderAnswerError for any other bytes', () => {
    assert.equal(readRecording(null), null);
    const damaged = Buffer.from(FILE);
    damaged.fill(0xff, 20, 60);
    for (const bytes of [Buffer.from('<html>'), Buffer.alloc(0), FILE.subarray(0, 40), damaged])
      assert.throws(() => readRecording(bytes), ProviderAnswerError);
  });
});
