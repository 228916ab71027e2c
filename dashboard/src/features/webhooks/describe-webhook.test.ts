import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeWebhook, nameOf, successRate, warnOf } from './describe-webhook.ts';
import type { Webhook } from './queries.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const HEALTH: Webhook['health'] = {
  attempts_24h: 0,
  failed_24h: 0,
  hours: [],
  p50_ms: null,
  p95_ms: null,
  waiting: 0,
  failing_since: null,
  disables_at: null,
  previous_secret_until: null,
  last_failure: null,
  strip: [],
};
const WEBHOOK: Webhook = {
  id: '1',
  url: 'https://hooks.example.com/in',
  events: ['*'],
  status: 'active',
  disabled_reason: null,
  description: null,
  created_at: '2026-11-01T12:00:00Z',
  last_delivery_at: null,
  health: HEALTH,
};
const FAILING: Webhook = {
  ...WEBHOOK,
  health: {
    ...HEALTH,
    waiting: 1,
    failing_since: '2026-11-16T11:00:00Z',
    disables_at: '2026-11-21T11:00:00Z',
  },
};

describe('a webhook in words', () => {
  it('is named by its description, else by its host', () => {
    assert.equal(nameOf({ ...WEBHOOK, description: 'Warehouse' }), 'Warehouse');
    assert.equal(nameOf({ ...WEBHOOK, description: ' ' }), 'hooks.example.com');
  });

  it('says that it fails, since when and what follows', () => {
    assert.deepEqual(describeWebhook(FAILING, NOW), { tone: 'bad', text: 'Failing for 1 h' });
    const warning = warnOf(FAILING, NOW);
    assert.match(warning?.title ?? '', /^Every attempt since \d\d:\d\d has failed\.$/);
    assert.equal(
      warning?.text,
      '1 delivery is waiting; nothing is lost. If nothing succeeds, the webhook is disabled in 4 days.',
    );
  });

  it('says why it is disabled', () => {
    const disabled = { ...FAILING, status: 'disabled' as const };
    assert.equal(describeWebhook({ ...disabled, disabled_reason: 'paused' }, NOW).tone, 'warn');
    assert.match(warnOf({ ...disabled, disabled_reason: 'gone' }, NOW)?.title ?? '', /410/);
    assert.match(warnOf({ ...disabled, disabled_reason: 'failing' }, NOW)?.title ?? '', /five days/);
  });

  it('has no warning while it works', () => {
    assert.equal(warnOf(WEBHOOK, NOW), null);
    assert.equal(describeWebhook(WEBHOOK, NOW).text, 'Nothing sent yet');
  });

  it('has a success rate that is 100 only if all attempts succeeded', () => {
    assert.equal(successRate(HEALTH), null);
    assert.equal(successRate({ ...HEALTH, attempts_24h: 1_000, failed_24h: 1 }), 99);
    assert.equal(successRate({ ...HEALTH, attempts_24h: 10, failed_24h: 0 }), 100);
  });
});
