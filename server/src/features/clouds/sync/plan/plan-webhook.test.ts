import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EpochMs } from '../../../../domain/records/records.ts';
import { DAY_MS } from '../../../../domain/time/durations.ts';
import type { CloudProvider } from '../../../../providers/contract.ts';
import { googleHealth } from '../../../../providers/google-health/index.ts';
import { oura } from '../../../../providers/oura/index.ts';
import { planWebhook } from './plan-webhook.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const [resource] = googleHealth.resources.filter(({ windowDays }) => windowDays < 30);
assert.ok(resource);
const facts = {
  sharing: { scopes: null, skippedResources: [], parts: new Set<string>() },
  zone: null,
  now: NOW,
  historyDays: 30,
};
const plan = (from: EpochMs, to: EpochMs) =>
  planWebhook(
    googleHealth,
    { kind: 'changed', providerUserId: 'ann', resource: resource.name, id: null, from, to },
    facts,
  );

describe('planWebhook', () => {
  it('limits the windows to the history and to one day ahead', () => {
    const windows = plan(Date.UTC(1, 0, 1) as EpochMs, Date.UTC(9000, 0, 1) as EpochMs).flatMap((one) =>
      'task' in one && one.task.action.kind === 'window' ? one.task.action.window : [],
    );
    assert.ok(windows.length > 1 && windows.length <= Math.ceil(31 / resource.windowDays) + 1, `${windows.length}`);
    assert.equal(windows[0]?.to, NOW.getTime() + DAY_MS);
    assert.equal(windows.at(-1)?.from, Date.UTC(2026, 1, 14));
  });

  it('plans nothing for a resource of a part that is off', () => {
    const provider = { ...googleHealth, resources: googleHealth.resources.map((one) => ({ ...one, part: 'trial' })) };
    const webhook = { kind: 'changed', providerUserId: 'ann', resource: resource.name, id: null } as const;
    const times = { from: (NOW.getTime() - DAY_MS) as EpochMs, to: NOW.getTime() as EpochMs };
    const request = { origin: 'api', method: 'GET', path: '/linked', as: 'person' } as const;
    const on = { ...facts, sharing: { ...facts.sharing, parts: new Set(['trial']) } };
    for (const item of [
      { ...webhook, ...times },
      { ...webhook, ...times, request },
    ]) {
      assert.deepEqual(planWebhook(provider, item, facts), []);
      assert.ok(planWebhook(provider, item, on).length > 0);
    }
  });

  it('plans nothing for data older than the history', () => {
    assert.deepEqual(plan(Date.UTC(2020, 0, 1) as EpochMs, Date.UTC(2020, 0, 2) as EpochMs), []);
  });

  it('asks the provider before it deletes, if the webhook is not signed', () => {
    const [one] = oura.resources.filter(({ requestOne }) => requestOne !== undefined);
    assert.ok(one && oura.webhook);
    const unsigned: CloudProvider = { ...oura, webhook: { ...oura.webhook, trust: 'path' } };
    const deleted = { kind: 'deleted', providerUserId: 'ann', resource: one.name, id: '7' } as const;
    const actionsOf = (provider: CloudProvider) =>
      planWebhook(provider, deleted, facts).flatMap((planned) => ('task' in planned ? planned.task.action : []));
    assert.deepEqual(actionsOf(oura), [{ kind: 'deleted', resource: one.name, id: '7' }]);
    assert.deepEqual(actionsOf(unsigned), [{ kind: 'one', resource: one.name, id: '7', isDeleted: true }]);
  });
});
