import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import type { FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';
import { createReplyBudget } from './reply-budget.ts';

const MEGABYTE = 1_048_576;

function makeReply(accountId: string) {
  const raw = Object.assign(new EventEmitter(), { closed: false, setTimeout: () => raw });
  const request = { caller: { kind: 'api_key', tenant: { accountId, environment: 'live' } }, clientAddress: '::1' };
  return { raw, request } as unknown as FastifyReply;
}

const isOverloaded = (error: unknown) => error instanceof AppError && error.code === 'overloaded';

describe('createReplyBudget', () => {
  it('refuses a response while unread ones of the account hold their share, and leaves room for others', () => {
    const budget = createReplyBudget(10 * MEGABYTE);
    const body = 'x'.repeat(MEGABYTE);
    const unread = Array.from({ length: 5 }, () => makeReply('a'));
    for (const reply of unread) budget.hold(reply, body);
    assert.throws(() => budget.hold(makeReply('a'), body), isOverloaded);
    budget.hold(makeReply('a'), 'small');
    budget.hold(makeReply('b'), Buffer.from(body));
    for (const reply of unread.slice(0, 2)) reply.raw.emit('close');
    budget.hold(makeReply('a'), body);
  });

  it('counts streams, and ends one that it refuses', () => {
    const budget = createReplyBudget(2 * MEGABYTE);
    budget.hold(makeReply('a'), Readable.from(['x']));
    const refused = Readable.from(['x']);
    assert.throws(() => budget.hold(makeReply('a'), refused), isOverloaded);
    assert.ok(refused.destroyed);
  });

  it('holds nothing for a client that is gone', () => {
    const budget = createReplyBudget(2 * MEGABYTE);
    for (let count = 0; count < 10; count += 1) {
      const reply = makeReply('a');
      Object.assign(reply.raw, { closed: true });
      budget.hold(reply, 'x'.repeat(MEGABYTE));
    }
  });
});
