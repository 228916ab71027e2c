import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClaimedDelivery, ClaimedWebhook } from './delivery.ts';
import { Lane } from './lane.ts';

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
    claim: 'c',
    eventId: 'e',
    attempts: 0,
    isTest: false,
    body: '{}',
  }));
function beginAll(lane: Lane): string[] {
  const begun: string[] = [];
  for (let turn = lane.begin(); turn; turn = lane.begin()) begun.push(turn.delivery.id);
  return begun;
}

describe('Lane', () => {
  it('begins with two, has eight under way at most once the endpoint is known, in their order, and the next when one ends', () => {
    const lane = new Lane(webhook());
    lane.add(webhook(), deliveries(12), 0);
    assert.deepEqual(beginAll(lane), ['0', '1']);
    lane.end(10);
    assert.deepEqual(beginAll(lane), ['2', '3', '4', '5', '6', '7', '8']);
    lane.end(10);
    assert.deepEqual(beginAll(lane), ['9']);
  });

  it('has two under way at most, and takes no more, while the endpoint fails', () => {
    const lane = new Lane(webhook(true));
    assert.equal(lane.room, 2);
    lane.add(webhook(true), deliveries(4), 0);
    assert.equal(beginAll(lane).length, 2);
    assert.equal(lane.room, 0);
  });

  it('takes more of a fast endpoint than of a slow one', () => {
    const roomAfter = (durationMs: number) => {
      const lane = new Lane(webhook());
      for (let round = 0; round < 50; round += 1) {
        lane.add(webhook(), deliveries(1), 0);
        lane.begin();
        lane.end(durationMs);
      }
      return lane.room;
    };
    assert.equal(roomAfter(10_000), 2, 'a slow one fills no places');
    assert.ok(roomAfter(10) > 60);
    assert.equal(roomAfter(0), 256);
  });

  it('hands back what was not begun within a second of its claim, and only that', () => {
    const lane = new Lane(webhook());
    lane.add(webhook(), deliveries(3), 5_000);
    beginAll(lane);
    assert.deepEqual(lane.takeLate(5_999), []);
    assert.deepEqual(
      lane.takeLate(6_000).map(({ id }) => id),
      ['2'],
    );
    lane.end(1);
    assert.equal(lane.begin(), null);
  });

  it('has one under way where slots are short, unless the endpoint is known to be fast', () => {
    const lane = new Lane(webhook());
    lane.add(webhook(), deliveries(12), 0);
    assert.equal(lane.begin({ isShort: true })?.delivery.id, '0');
    assert.equal(lane.begin({ isShort: true }), null);
    lane.end(10);
    const begun = Array.from({ length: 9 }, () => lane.begin({ isShort: true })?.delivery.id);
    assert.deepEqual(begun, ['1', '2', '3', '4', '5', '6', '7', '8', undefined]);
  });

  it('begins nothing once it is closed', () => {
    const lane = new Lane(webhook());
    lane.add(webhook(), deliveries(3), 0);
    lane.close();
    assert.deepEqual([lane.begin(), lane.room], [null, 0]);
  });
});
