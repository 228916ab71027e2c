import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePasswd, pickAccount } from './account.ts';

const PASSWD = [
  'root:x:0:0:root:/root:/bin/bash',
  'toor:x:0:0:second root:/root:/bin/bash',
  '# a comment',
  'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin',
  'postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash',
  'mac-nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false',
  '',
].join('\n');

describe('the user the database runs as', () => {
  const accounts = parsePasswd(PASSWD);

  it('is never root under another name, nor an ID that a process cannot use', () => {
    assert.deepEqual(accounts, [
      { uid: 65534, gid: 65534, name: 'nobody' },
      { uid: 101, gid: 104, name: 'postgres' },
    ]);
  });

  it('is the owner of existing data, with or without a name', () => {
    assert.equal(pickAccount(accounts, { uid: 65534, gid: 65534 })?.name, 'nobody');
    assert.deepEqual(pickAccount(accounts, { uid: 1234, gid: 99 }), { uid: 1234, gid: 99, name: 'uid 1234' });
  });

  it('is tributary, postgres or nobody, in this order, if there is no data or root owns it', () => {
    const tributary = { uid: 990, gid: 990, name: 'tributary' };
    assert.equal(pickAccount([...accounts, tributary], null)?.name, 'tributary');
    assert.equal(pickAccount(accounts, { uid: 0, gid: 0 })?.name, 'postgres');
    assert.equal(pickAccount(accounts.slice(0, 1), null)?.name, 'nobody');
    assert.equal(pickAccount([], null), null);
  });
});
