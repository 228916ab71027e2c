import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseReport, readOutcome } from './outcome.ts';

const REPORT = { type: 'tributary.connect', status: 'active', device_id: 'd1', failure_reason: null, reason: null };

const DECLINED = { status: 'failed', deviceId: 'd1', failureReason: 'declined', reason: 'declined' };

describe('parseReport', () => {
  it('reads the outcome of a popup', () => {
    assert.deepEqual(parseReport(REPORT), { status: 'active', deviceId: 'd1' });
    const failed = { ...REPORT, status: 'failed', failure_reason: 'declined' };
    assert.deepEqual(parseReport({ ...failed, reason: 'declined' }), DECLINED);
    assert.deepEqual(parseReport(failed), DECLINED);
  });

  it('reads the former name from a service of version 0.1', () => {
    const { failure_reason: _absent, ...former } = REPORT;
    assert.deepEqual(parseReport({ ...former, status: 'failed', reason: 'declined' }), DECLINED);
  });

  const others: [string, unknown][] = [
    ['nothing', null],
    ['a text', 'tributary.connect'],
    ['a message of something else', { ...REPORT, type: 'other' }],
    ['an unknown status', { ...REPORT, status: 'perhaps' }],
    ['a failure without a reason', { ...REPORT, status: 'failed' }],
    ['no device', { ...REPORT, device_id: undefined }],
  ];
  for (const [name, data] of others) it(`ignores ${name}`, () => assert.equal(parseReport(data), null));
});

describe('readOutcome', () => {
  it('reads the query of the redirect', () => {
    assert.deepEqual(readOutcome('https://app.example/done?x=1&device_id=d1&status=active'), {
      status: 'active',
      deviceId: 'd1',
    });
    assert.deepEqual(readOutcome('https://app.example/done?device_id=d1&status=failed&failure_reason=expired'), {
      status: 'failed',
      deviceId: 'd1',
      failureReason: 'expired',
      reason: 'expired',
    });
    const former = 'https://app.example/done?device_id=d1&status=failed&reason=declined';
    assert.deepEqual(readOutcome(former), DECLINED);
    assert.equal(readOutcome('https://app.example/done?status=active'), null);
    assert.equal(readOutcome('https://app.example/done'), null);
  });
});
