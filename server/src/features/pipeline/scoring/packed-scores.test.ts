import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ComputedStress, ScoreType } from '../../../domain/scores/index.ts';
import {
  packDetails,
  packStress,
  roundExplanation,
  type ScoreDetail,
  unpackDetails,
  unpackStress,
} from './packed-scores.ts';

const SLEEP: ScoreDetail = {
  neutral: 70,
  coverage: 85.5,
  algorithmVersion: 1,
  computedAt: '2026-03-02T12:00:00.123Z',
  factors: [
    { name: 'duration', contribution: 2.8, direction: 'positive' },
    { name: 'regularity', contribution: 0, direction: 'neutral' },
  ],
  explanation: {
    readings: [
      { name: 'duration', input: 440, usual: null, position: 440, effect: 0.26666666666666666 },
      {
        name: 'regularity',
        input: 25.829958096438496,
        usual: { mean: 66.81525620800859, spread: 0.10609045627262964, scale: 'log' },
        position: -0.11571916286106587,
        effect: -0.00004,
        hrvKind: 'rmssd',
      },
    ],
    missing: [{ name: 'deep_sleep', reason: 'no_value' }],
  },
};
const STRAIN: ScoreDetail = {
  ...SLEEP,
  coverage: null,
  factors: [{ name: 'a factor of a later version', contribution: -31.6, direction: 'negative' }],
  explanation: { readings: [], missing: [], basis: ['heart_rate_samples', 'steps'] },
};

describe('packed score details', () => {
  const scores = new Map<ScoreType, ScoreDetail>([
    ['sleep_score', SLEEP],
    ['strain_score', STRAIN],
  ]);
  const rounded = new Map(
    Array.from(scores, ([type, detail]) => [
      type,
      { ...detail, explanation: roundExplanation(detail.explanation) } as ScoreDetail,
    ]),
  );

  it('are the same after unpacking, with the decimals that the API shows', () => {
    assert.deepStrictEqual(unpackDetails(packDetails(scores)), rounded);
    assert.deepStrictEqual(unpackDetails(packDetails(rounded)), rounded);
    assert.equal(rounded.get('sleep_score')?.explanation.readings[1]?.position, -0.1157);
    assert.equal(rounded.get('sleep_score')?.explanation.readings[1]?.effect, 0);
  });

  it('can be read in every later version', () => {
    // Written by the first version of the format.
    const stored =
      '017594410ac3201045af225d8fc38c46e341baaab89062568514137afe82498d49f100c3f0e7bf79fec2407d342d49dd59ed8fc64a3f0a20cea0e912a2d0c13010102a6bc773d01684b65b65d069209084cc66046f2d3a361a08992c031fdd07f0d54217e0fe7c14eae28e483af97e2689628acf75ce629e4414afb8a62c3e292f5be48310a919ed36d5365b2e7c62649762a924bd975b08e10b';
    assert.deepStrictEqual(unpackDetails(Buffer.from(stored, 'hex')), rounded);
  });

  it('name the format that a version cannot read', () => {
    assert.throws(() => unpackDetails(Buffer.of(9)), /format 9/);
  });
});

describe('packed stress', () => {
  it('is the same after unpacking', () => {
    const series: ComputedStress[] = [
      [1953530, 31],
      [1953531, 24.5],
      [1953540, 0],
    ];
    assert.deepStrictEqual(unpackStress(packStress(series)), series);
    assert.deepStrictEqual(unpackStress(packStress([])), []);
  });
});
