import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDelivery } from './describe-delivery.ts';

const NAMES = new Map([['01a1e04c-0000-7000', 'CRM']]);
const DELIVERY = { id: 'd', webhook_id: '01a1e04c-0000-7000', status: 'pending' as const, attempts: 0 };

describe('the delivery of an event', () => {
  it('names the webhook and the state', () => {
    assert.equal(describeDelivery({ ...DELIVERY, status: 'succeeded', attempts: 1 }, NAMES), 'CRM: delivered');
    assert.equal(describeDelivery(DELIVERY, new Map()), 'webhook 01a1e04c: waiting');
  });

  it('says how often it was tried while it waits', () => {
    assert.equal(describeDelivery({ ...DELIVERY, attempts: 2 }, NAMES), 'CRM: waiting after 2 attempts');
  });
});
