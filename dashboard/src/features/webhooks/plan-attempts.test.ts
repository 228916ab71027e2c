import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { distance, planAttempts } from './plan-attempts.ts';

const DELAYS = [5_000, 300_000, 1_800_000, 7_200_000];
const failed = {
  attempted_at: '2026-11-15T18:00:00Z',
  duration_ms: 10,
  status: 500,
  error: 'status',
  response_body: '',
  request_headers: [],
};
const DELIVERY = {
  attempts: [failed, failed],
  attempt_count: 2,
  status: 'pending' as const,
  next_attempt_at: '2026-11-15T18:05:00Z',
  retry_delays_ms: DELAYS,
  test: false,
};

describe('the line of attempts', () => {
  it('has the attempts made, the next one, and those that would follow', () => {
    assert.deepEqual(planAttempts(DELIVERY), [
      { kind: 'made', number: 1, isSuccess: false },
      { kind: 'made', number: 2, isSuccess: false },
      { kind: 'next', number: 3, at: DELIVERY.next_attempt_at },
      { kind: 'later', number: 4, afterMs: 2_105_000 },
      { kind: 'later', number: 5, afterMs: 9_305_000 },
    ]);
  });

  it('ends with the last attempt of a delivery that is over', () => {
    const succeeded = { ...DELIVERY, status: 'succeeded' as const, attempts: [failed, { ...failed, error: null }] };
    assert.deepEqual(planAttempts(succeeded).at(-1), { kind: 'made', number: 2, isSuccess: true });
  });

  it('has one attempt for a test', () => {
    assert.equal(planAttempts({ ...DELIVERY, attempts: [], attempt_count: 0, test: true }).length, 1);
  });

  it('begins the schedule anew for a delivery that was recovered', () => {
    const recovered = planAttempts({ ...DELIVERY, attempt_count: 0 });
    assert.equal(recovered.length, 2 + 1 + DELAYS.length);
    assert.deepEqual(recovered[3], { kind: 'later', number: 4, afterMs: 5_000 });
  });

  it('writes distances in one unit', () => {
    assert.deepEqual([5_000, 300_000, 9_305_000, 274_000_000].map(distance), ['5 s', '5 min', '2.6 h', '76 h']);
  });
});
