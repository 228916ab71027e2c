import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountId } from '../../../domain/tenancy.ts';
import type { OutboundAnswer } from '../../../platform/outbound/index.ts';
import type { ClaimedDelivery } from './delivery.ts';
import { judgeAttempt } from './judge-attempt.ts';

const DELIVERY: ClaimedDelivery = {
  id: 'd',
  webhookId: 'w',
  tenant: { accountId: 'a' as AccountId, environment: 'live' },
  claim: 'c',
  eventId: 'e',
  attempts: 0,
  isTest: false,
  body: '{}',
};
const startedAt = new Date('2026-03-01T12:00:00Z');
const ENDED_MS = startedAt.getTime() + 250;
const TIMES = { startedAt, durationMs: 250.4, random: 0.5 };
const reply = (status: number, headers: Record<string, string> = {}, body = ''): OutboundAnswer => ({
  ok: true,
  status,
  headers,
  body: Buffer.from(body),
});
const judge = (answer: OutboundAnswer, delivery: Partial<ClaimedDelivery> = {}) =>
  judgeAttempt({ ...DELIVERY, ...delivery }, answer, TIMES);

describe('judgeAttempt', () => {
  it('counts any 2xx as success and keeps the first 1,024 bytes of the response', () => {
    for (const status of [200, 201, 204, 299]) {
      const outcome = judge(reply(status, {}, 'x'.repeat(5_000)));
      assert.equal(outcome.status, 'succeeded');
      assert.equal(outcome.dueAt, null);
      assert.deepEqual(outcome.attempt, {
        at: startedAt,
        durationMs: 250,
        status,
        error: null,
        response: 'x'.repeat(1_024),
      });
    }
  });

  it('retries after any other status, including redirects', () => {
    const reasons = { 301: 'redirect', 307: 'redirect', 400: 'status', 404: 'status', 500: 'status', 503: 'status' };
    for (const [status, error] of Object.entries(reasons)) {
      const outcome = judge(reply(Number(status)));
      assert.equal(outcome.status, 'pending', status);
      assert.equal(outcome.dueAt?.getTime(), ENDED_MS + 5_000);
      assert.equal(outcome.attempt?.error, error);
    }
  });

  it('retries if there is no response or it is too large', () => {
    for (const reason of ['timeout', 'connection', 'tls', 'too_large', 'refused_address', 'protocol'] as const) {
      const outcome = judge({ ok: false, reason, message: '', status: reason === 'too_large' ? 200 : null });
      assert.equal(outcome.status, 'pending', reason);
      assert.equal(outcome.attempt?.error, reason);
    }
  });

  it('waits for Retry-After', () => {
    assert.equal(judge(reply(429, { 'retry-after': '90' })).dueAt?.getTime(), ENDED_MS + 90_000);
  });

  it('fails after the tenth attempt, after a 410, and after one attempt of a test', () => {
    assert.deepEqual(
      [judge(reply(500), { attempts: 8 }).status, judge(reply(500), { attempts: 9 }).status],
      ['pending', 'failed'],
    );
    const gone = judge(reply(410));
    assert.deepEqual([gone.status, gone.dueAt, gone.isGone], ['failed', null, true]);
    assert.deepEqual([judge(reply(500), { isTest: true }).status, judge(reply(500)).isGone], ['failed', false]);
  });

  it('stores a response with arbitrary bytes as text', () => {
    const outcome = judge({ ...reply(500), body: Buffer.from([0, 255, 0, 65]) } as OutboundAnswer);
    assert.equal(outcome.attempt?.response, '\ufffdA');
  });
});
