import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountId } from '../../../domain/tenancy.ts';
import type { ClaimedDelivery, ClaimedWebhook } from './delivery.ts';
import { EndpointQueue } from './endpoint-queue.ts';

const webhook = (isFailing = false): ClaimedWebhook => ({
  id: 'w',
  accountId: 'a',
  url: 'https://hooks.example/in',
  isFailing,
  secret: Buffer.alloc(0),
  previous: null,
  previousUntil: null,
});
const deliveries = (count: number): ClaimedDelivery[] =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    webhookId: 'w',
    tenant: { accountId: 'a' as AccountId, environment: 'live' },
    claim: 'c',
    eventId: 'e',
    attempts: 0,
    isTest: false,
    body: '{}',
  }));
function beginAll(queue: EndpointQueue): string[] {
  const begun: string[] = [];
  for (let startable = queue.begin(); startable; startable = queue.begin()) begun.push(startable.delivery.id);
  return begun;
}

describe('EndpointQueue', () => {
  it('starts with two attempts, then runs up to eight in order once the endpoint has answered', () => {
    const queue = new EndpointQueue(webhook());
    queue.add(webhook(), deliveries(12), 0);
    assert.deepEqual(beginAll(queue), ['0', '1']);
    queue.end(10);
    assert.deepEqual(beginAll(queue), ['2', '3', '4', '5', '6', '7', '8']);
    queue.end(10);
    assert.deepEqual(beginAll(queue), ['9']);
  });

  it('runs at most two attempts and claims no more while the endpoint fails', () => {
    const queue = new EndpointQueue(webhook(true));
    assert.equal(queue.room, 2);
    queue.add(webhook(true), deliveries(4), 0);
    assert.equal(beginAll(queue).length, 2);
    assert.equal(queue.room, 0);
  });

  it('claims more deliveries for a fast endpoint than for a slow one', () => {
    const roomAfter = (durationMs: number) => {
      const queue = new EndpointQueue(webhook());
      for (let round = 0; round < 50; round += 1) {
        queue.add(webhook(), deliveries(1), 0);
        queue.begin();
        queue.end(durationMs);
      }
      return queue.room;
    };
    assert.equal(roomAfter(10_000), 2, 'a slow endpoint claims only what it runs');
    assert.ok(roomAfter(10) > 60);
    assert.equal(roomAfter(0), 256);
  });

  it('returns only deliveries that did not start within a second of their claim', () => {
    const queue = new EndpointQueue(webhook());
    queue.add(webhook(), deliveries(3), 5_000);
    beginAll(queue);
    assert.deepEqual(queue.takeLate(5_999), []);
    assert.deepEqual(
      queue.takeLate(6_000).map(({ id }) => id),
      ['2'],
    );
    queue.end(1);
    assert.equal(queue.begin(), null);
  });

  it('runs one attempt when slots are scarce, unless the endpoint is known to be fast', () => {
    const queue = new EndpointQueue(webhook());
    queue.add(webhook(), deliveries(12), 0);
    assert.equal(queue.begin({ isShort: true })?.delivery.id, '0');
    assert.equal(queue.begin({ isShort: true }), null);
    queue.end(10);
    const begun = Array.from({ length: 9 }, () => queue.begin({ isShort: true })?.delivery.id);
    assert.deepEqual(begun, ['1', '2', '3', '4', '5', '6', '7', '8', undefined]);
  });

  it('starts nothing after it is closed', () => {
    const queue = new EndpointQueue(webhook());
    queue.add(webhook(), deliveries(3), 0);
    queue.close();
    assert.deepEqual([queue.begin(), queue.room], [null, 0]);
  });
});
