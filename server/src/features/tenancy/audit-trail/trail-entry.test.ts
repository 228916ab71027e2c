import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chainEntry, FIRST_LINK, READ_ACTION, signMark, type TrailFacts, writeEntry } from './trail-entry.ts';

const DEVICE = '0190a000-0000-7000-8000-000000000001';
const key = Buffer.alloc(32, 1);
const facts: TrailFacts = {
  account_id: 'a',
  environment: 'live',
  actor: 'api_key',
  actor_id: 'k',
  via: 'api',
  request_id: 'req_1',
  action: 'device.disconnected',
  subject: DEVICE,
};
const USER = 'user-1';
const saltedBy = (salt: string) => new Map([[USER, Buffer.from(salt)]]);
const salts = saltedBy('salt');

describe('an entry', () => {
  it('names a user and a record of the user by hash, the same way for the same salt', () => {
    const entry = writeEntry(key, facts, USER, salts);
    assert.doesNotMatch(entry, /user-1|0190a000/);
    assert.equal(entry, writeEntry(key, facts, USER, saltedBy('salt')));
    assert.notEqual(entry, writeEntry(key, facts, USER, saltedBy('other')));
    assert.notEqual(entry, writeEntry(Buffer.alloc(32, 2), facts, USER, salts));
  });

  it('names the users of a list as it names each of them', () => {
    const both = new Map([...salts, ['user-2', Buffer.from('other')]]);
    const entry = JSON.parse(writeEntry(key, { ...facts, subject: 'users', users: [...both.keys()] }, null, both));
    const alone = [...both.keys()].map((id) => JSON.parse(writeEntry(key, facts, id, both)).user);
    assert.deepEqual(entry.users, alone.toSorted());
    assert.equal(new Set(entry.users).size, 2);
    assert.equal(entry.user, null);
  });

  it('names the users of a list in an order that does not say which user an erased one was', () => {
    const both = new Map([...salts, ['user-2', Buffer.from('other')]]);
    const write = (users: string[]) => writeEntry(key, { ...facts, subject: 'users', users }, null, both);
    assert.equal(write([USER, 'user-2']), write(['user-2', USER]));
  });

  it('keeps the resource of a read and the id of a credential', () => {
    const read = JSON.parse(writeEntry(key, { ...facts, action: READ_ACTION, subject: 'daily' }, USER, salts));
    assert.equal(read.subject, 'daily');
    assert.equal(read.actor_id, 'k');
  });

  it('names accounts and members by hash, without a salt', () => {
    const entry = JSON.parse(writeEntry(key, { ...facts, actor: 'member', actor_id: 'm' }, USER, salts));
    const other = JSON.parse(writeEntry(key, { ...facts, actor: 'member', actor_id: 'm' }, null, salts));
    assert.match(entry.account_id, /^account:[\w-]{43}$/);
    assert.match(entry.actor_id, /^member:[\w-]{43}$/);
    assert.deepEqual([other.account_id, other.actor_id, other.user], [entry.account_id, entry.actor_id, null]);
  });
});

describe('the chain', () => {
  it('covers the entry, its time, its position and everything before it', () => {
    const at = new Date('2026-03-01T12:00:00.123Z');
    const first = chainEntry(key, FIRST_LINK, { at, entry: 'one' });
    const others = [
      chainEntry(key, FIRST_LINK, { at, entry: 'two' }),
      chainEntry(key, FIRST_LINK, { at: new Date(at.getTime() + 1), entry: 'one' }),
      chainEntry(key, { ...FIRST_LINK, position: 1 }, { at, entry: 'one' }),
      chainEntry(key, { ...FIRST_LINK, hash: Buffer.alloc(32, 9) }, { at, entry: 'one' }),
      chainEntry(Buffer.alloc(32, 2), FIRST_LINK, { at, entry: 'one' }),
    ];
    assert.equal(first.position, 1);
    assert.equal(new Set([first, ...others].map(({ hash }) => hash.toString('hex'))).size, 6);
    assert.notDeepEqual(signMark(key, 'head', first), signMark(key, 'cut', first));
  });
});
