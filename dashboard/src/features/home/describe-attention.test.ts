import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clock } from '../../shared/time/format-time.ts';
import { describeAttention } from './describe-attention.ts';
import type { AttentionItem } from './queries.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const SINCE = '2026-11-16T11:00:00Z';
const item = (fields: Partial<AttentionItem>): AttentionItem => ({
  kind: 'webhook_failing',
  level: 'bad',
  subject: null,
  name: null,
  since: null,
  until: null,
  count: 0,
  cause: null,
  people: [],
  ...fields,
});
const titleOf = (fields: Partial<AttentionItem>) => {
  const { subject, text } = describeAttention(item(fields), NOW);
  return `${subject} ${text}`;
};

describe('what needs attention', () => {
  it('says the cause, since when, how many events wait and that nothing is lost', () => {
    const found = describeAttention(item({ subject: 'w1', name: 'CRM', since: SINCE, count: 1, cause: '500' }), NOW);
    assert.deepEqual(found, {
      subject: 'CRM',
      text: 'answers 500',
      note: `Since ${clock(SINCE)} · 1 event waits, nothing is lost · disabled after five days of failures`,
      action: 'Inspect',
      path: 'webhooks/w1',
    });
    assert.equal(titleOf({ name: 'CRM', cause: 'timeout' }), 'CRM does not answer in time');
    assert.equal(titleOf({ name: 'CRM', cause: 'tls' }), 'CRM cannot be reached');
  });

  it('leads to the person who has to connect again, or to all of them', () => {
    const ada = { user_id: 'u1', reference_id: 'ada' };
    const one = describeAttention(item({ kind: 'reconnect', subject: 'whoop', count: 1, people: [ada] }), NOW);
    assert.equal(`${one.subject} ${one.text}`, 'ada has to connect WHOOP again');
    assert.equal(one.path, 'users/u1/connections?connect=whoop');
    const many = describeAttention(item({ kind: 'reconnect', subject: 'whoop', count: 7, people: [ada] }), NOW);
    assert.equal(many.subject, '7 people');
    assert.match(many.note, / · ada and 6 more$/);
    assert.equal(many.path, 'users?filter=attention');
  });

  it('warns before a key expires, and says when it has expired', () => {
    const key = { kind: 'key_expires', name: 'Backend' } as const;
    assert.equal(titleOf({ ...key, until: '2026-11-25T12:00:00Z' }), 'The API key Backend expires in 9 days');
    assert.equal(titleOf({ ...key, until: '2026-11-15T12:00:00Z' }), 'The API key Backend has expired');
  });

  it('distinguishes a provider that fails from one that limits requests', () => {
    const wait = { kind: 'provider_waits', subject: 'oura', count: 1, until: '2026-11-16T12:05:00Z' } as const;
    assert.equal(titleOf({ ...wait, cause: 'failing' }), 'Oura does not answer');
    const limited = describeAttention(item({ ...wait, cause: 'rate_limited' }), NOW);
    assert.equal(limited.text, 'limits our requests');
    assert.equal(limited.note, 'The next request is in 5 min · 1 device waits, no data is lost');
  });

  it('says why a webhook is disabled', () => {
    const gone = describeAttention(item({ kind: 'webhook_disabled', name: 'CRM', cause: 'gone' }), NOW);
    assert.equal(gone.note, 'It responded with 410 Gone · it receives no events');
  });
});
