import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseReport, readOutcome } from './outcome.ts';

const REPORT = { type: 'tributary.connect', status: 'active', device_id: 'd1', reason: null };

describe('parseReport', () => {
  it('reads the outcome of a popup', () => {
    assert.deepEqual(parseReport(REPORT), { status: 'active', deviceId: 'd1' });
    assert.deepEqual(parseReport({ ...REPORT, status: 'failed', reason: 'declined' }), {
      status: 'failed',
      deviceId: 'd1',
      reason: 'declined',
    });
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
    assert.deepEqual(readOutcome('https://app.example/done?device_id=d1&status=failed&reason=expired'), {
      status: 'failed',
      deviceId: 'd1',
      reason: 'expired',
    });
    assert.equal(readOutcome('https://app.example/done?status=active'), null);
    assert.equal(readOutcome('https://app.example/done'), null);
  });
});
