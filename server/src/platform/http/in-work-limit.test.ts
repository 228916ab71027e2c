import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { ANONYMOUS, type Caller } from './caller.ts';
import { createInWorkLimit } from './in-work-limit.ts';

const callerOf = (sessionId: string) => ({ kind: 'sdk_session', sessionId }) as Caller;
const openReply = (closed = false) => ({ raw: Object.assign(new EventEmitter(), { closed }) });
const tooMany = { code: 'rate_limited' };

function open(limit: number) {
  const inWork = createInWorkLimit(limit);
  return (caller: Caller, reply = openReply()) => {
    inWork.enter(caller, reply as never);
    return reply.raw;
  };
}

describe('the limit of concurrent requests', () => {
  it('rejects more than the limit of one session until a response was sent', () => {
    const enter = open(2);
    const [one, other] = [callerOf('one'), callerOf('other')];
    const first = enter(one);
    enter(one);
    assert.throws(() => enter(one), tooMany);
    enter(other);
    first.emit('close');
    enter(one);
    assert.throws(() => enter(one), tooMany);
  });

  it('counts no client that has disconnected, and no other caller', () => {
    const enter = open(1);
    enter(callerOf('one'), openReply(true));
    enter(ANONYMOUS);
    enter(ANONYMOUS);
    enter(callerOf('one'));
    assert.throws(() => enter(callerOf('one')), tooMany);
  });
});
