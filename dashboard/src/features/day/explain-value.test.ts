import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainRank } from '../../shared/user/explain-rank.ts';
import { type Candidate, type Explanation, explainValue, nameOutcome, writeAnswer } from './explain-value.ts';

const candidate = (device: number, value: number, outcome: Candidate['outcome'], contributed: number | null = null) =>
  ({ rank: device, device, value, outcome, contributed, origin: 'samples' }) as unknown as Candidate;

const STEPS = {
  metric: 'steps',
  name: 'Steps',
  date: '2026-11-14',
  zone: 'Europe/Berlin',
  unit: 'count',
  decimals: 0,
  value: 4_157,
  method: 'priority',
  default_method: 'merge',
  setting: { key: 'steps', overridden: true, last_change: null },
  computed: null,
  absence: null,
  candidates: [candidate(1, 4_157, 'used', 4_157), candidate(2, 12_676, 'outranked')],
  quarter_hours: [{}],
  alternatives: [
    { method: 'merge', value: 14_079 },
    { method: 'priority', value: 4_157 },
  ],
} as unknown as Explanation;

const name = (device: number) => (device === 1 ? 'Apple Watch' : 'iPhone');
const textOf = (explanation: Explanation) =>
  explainValue(explanation)
    .map((piece) => (typeof piece === 'string' ? piece : 'device' in piece ? name(piece.device) : piece.strong))
    .join('')
    .trim();

describe('the explanation of a value', () => {
  it('names the source, what is not counted, and the rule', () => {
    assert.equal(
      textOf(STEPS),
      'The whole day is taken from the Apple Watch. What the iPhone measured is not counted, because the method is priority and the Apple Watch ranks first.',
    );
  });

  it('lists the shares of merged sources', () => {
    const candidates = [candidate(1, 4_157, 'used', 4_157), candidate(2, 12_676, 'partly_used', 9_922)];
    assert.match(
      textOf({ ...STEPS, method: 'merge', value: 14_079, candidates }),
      /^4,157 from the Apple Watch and 9,922 from the iPhone\. In each quarter hour/,
    );
  });

  it('says that a source is disabled, smaller, the only one, computed, or missing', () => {
    const [first] = STEPS.candidates as [Candidate];
    assert.match(textOf({ ...STEPS, candidates: [first, candidate(2, 1, 'disabled')] }), /iPhone is disabled/);
    assert.match(textOf({ ...STEPS, candidates: [first, candidate(2, 1, 'smaller')] }), /its value is smaller/);
    assert.match(textOf({ ...STEPS, candidates: [first] }), /the only source that has one\.$/);
    assert.equal(
      textOf({ ...STEPS, computed: 'Weight over height' }),
      'Computed, not taken from a source: weight over height.',
    );
    const absence = { reason: 'no_data' as const, message: 'Neither ring nor watch was worn.' };
    assert.equal(textOf({ ...STEPS, value: null, absence }), 'Neither ring nor watch was worn.');
  });

  it('has a text for a ticket with every source, the method and the default', () => {
    assert.deepEqual(writeAnswer(STEPS, name).split('\n'), [
      'Steps on 14 Nov 2026 (Europe/Berlin): 4,157',
      textOf(STEPS),
      '1. Apple Watch: 4,157, counted',
      '2. iPhone: 12,676, not counted',
      'Method: priority, changed for this user.',
      'The default, merge, would give 14,079.',
    ]);
    assert.equal(nameOutcome({ outcome: 'superseded' }), 'not counted: later manual entry');
  });

  it('says why a source has its rank', () => {
    const ranked = {
      rank: 1,
      rank_reason: 'device_class',
      transport: 'sdk',
      device_class: 'wrist',
      class_rank: 1,
    } as const;
    assert.equal(explainRank(ranked, 'Steps'), 'watch: 1st for steps');
    assert.equal(explainRank({ ...ranked, class_rank: 0 }, 'HRV'), 'watch: not ranked for HRV');
    assert.equal(explainRank({ ...ranked, rank_reason: 'transport' }, 'Steps'), 'first: sent by the phone itself');
    assert.equal(explainRank({ ...ranked, rank: 2, rank_reason: 'connection_time' }, 'Steps'), 'older connection');
    assert.equal(explainRank({ ...ranked, class_rank: 4 }, 'Steps'), 'watch: 4th for steps');
  });
});
