import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addNews } from './add-news.ts';
import { commandOf, nextStep } from './first-steps.ts';
import type { FirstSteps } from './queries.ts';

const KEY = { last_four: 'UZIM', created_at: '2026-11-16T12:00:00Z', is_used: false };
const EMPTY: FirstSteps = {
  users: 0,
  key: KEY,
  first_user: null,
  created: null,
  explained: null,
  is_listening: false,
  is_connected: false,
};
const FACTS = {
  origin: 'http://127.0.0.1:8080',
  environment: 'sandbox',
  key: null,
  lastFour: 'UZIM',
  userId: null,
  date: '2026-11-15',
  zone: 'Europe/Berlin',
  forwardCommand: 'tributary listen --forward-to http://127.0.0.1:3000/hook',
};

describe('the first steps', () => {
  it('go on with the first that the service has not seen', () => {
    assert.equal(nextStep(EMPTY), 'key');
    assert.equal(nextStep({ ...EMPTY, key: { ...KEY, is_used: true } }), 'user');
    assert.equal(nextStep({ ...EMPTY, key: { ...KEY, is_used: true }, users: 1 }), 'explain');
  });

  it('give calls for this service, with the key and the user once they are known', () => {
    assert.equal(commandOf('key', FACTS), 'export KEY=sk_sandbox_…UZIM');
    assert.equal(commandOf('key', { ...FACTS, key: 'sk_sandbox_abc' }), 'export KEY=sk_sandbox_abc');
    assert.match(commandOf('user', FACTS), /^curl -s http:\/\/127\.0\.0\.1:8080\/v1\/users \\\n/);
    assert.match(commandOf('explain', { ...FACTS, userId: 'u1' }), /users\/u1\/daily\/explain\?metric=steps&date=2026/);
  });
});

describe('news', () => {
  it('are kept once each, newest first, up to a limit', () => {
    const entries = [{ id: 'b' }, { id: 'a' }];
    assert.deepEqual(addNews(entries, { id: 'c' }, 2), [{ id: 'c' }, { id: 'b' }]);
    assert.deepEqual(addNews(entries, { id: 'a' }, 5), [{ id: 'a' }, { id: 'b' }]);
  });
});
