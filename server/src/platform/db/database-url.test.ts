import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { parseDatabaseUrl } from './database-url.ts';

const hostsOf = (url: string) => parseDatabaseUrl(url).hosts.map(({ host, port }) => `${host} ${port}`);
const driverOf = (url: string) => {
  const { host, port, user, database, password } = new pg.Client({ connectionString: parseDatabaseUrl(url).driverUrl });
  return { host, port, user, database, password };
};

describe('parseDatabaseUrl', () => {
  it('passes a URL with one host to the driver unchanged', () => {
    for (const url of [
      'postgres://user@db.example/tributary',
      'postgresql://user:p%40ss@db.example:6432/tributary?sslmode=require',
      'postgres://tributary@/tributary?host=/run/postgresql',
      'postgres://tributary@%2Frun%2Fpostgresql/tributary',
      'postgres:///tributary',
      'postgres://user:p@ss@db.example/tributary',
      'postgres://[::1]:5433/tributary',
    ])
      assert.deepEqual(
        [parseDatabaseUrl(url).driverUrl, hostsOf(url), parseDatabaseUrl(url).isWritable],
        [url, [], false],
      );
  });

  it('lists several hosts with their ports', () => {
    assert.deepEqual(hostsOf('postgres://u:p@a:5432,b:5433/x'), ['a 5432', 'b 5433']);
    assert.deepEqual(hostsOf('postgres://u@a,b:5510/x'), ['a 5432', 'b 5510']);
    assert.deepEqual(hostsOf('postgres://u@[::1]:5433,[fe80::2]/x'), ['::1 5433', 'fe80::2 5432']);
    assert.deepEqual(hostsOf('postgres://u@/x?host=a,b&port=5501,5502'), ['a 5501', 'b 5502']);
    assert.deepEqual(hostsOf('postgres://u@/x?host=/run/a,/run/b&port=5501'), ['/run/a 5501', '/run/b 5501']);
  });

  it('keeps user, password, name and other parameters of several hosts for the driver', () => {
    assert.deepEqual(driverOf('postgres://u:p%2Fw@a:5432,b:5433/x?target_session_attrs=read-write'), {
      host: 'a',
      port: 5432,
      user: 'u',
      database: 'x',
      password: 'p/w',
    });
    assert.equal(driverOf('postgres://u@/x?host=/run/a,/run/b&port=5501').host, '/run/a');
    assert.match(parseDatabaseUrl('postgres://u@a,b/x?sslmode=require').driverUrl, /\?sslmode=require&/);
    assert.equal(
      parseDatabaseUrl('postgres://u:p@a:6432/x?target_session_attrs=any&sslmode=require').driverUrl,
      'postgres://u:p@a:6432/x?sslmode=require',
    );
  });

  it('needs a server that accepts writes if the URL says so, or names several hosts', () => {
    const needsWrites = (url: string) => parseDatabaseUrl(url).isWritable;
    assert.equal(needsWrites('postgres://u@a/x?target_session_attrs=read-write'), true);
    assert.equal(needsWrites('postgres://u@a,b/x'), true);
    assert.throws(
      () => parseDatabaseUrl('postgres://u@a,b/x?target_session_attrs=any'),
      /any with several hosts; set it to read-write/,
    );
    assert.equal(needsWrites('postgres://u@a/x?target_session_attrs=any'), false);
  });

  it('describes hosts and name without user and password', () => {
    const locationOf = (url: string) => parseDatabaseUrl(url).location;
    assert.equal(locationOf('postgres://u:secret@a:5432,b:5433/x'), 'a:5432,b:5433/x');
    assert.equal(locationOf('postgres://u:secret@db.example:6432/x?sslmode=require'), 'db.example:6432/x');
    assert.equal(locationOf('postgres://u:secret@/x?host=/run/postgresql'), '/run/postgresql/x');
  });

  it('says what to change', () => {
    for (const [url, message] of [
      ['localhost', /^is not a URL; set it to one that begins with postgres:\/\//],
      ['mysql://db.example/x', /^is not a URL/],
      ['postgres://u:a/b@db.example/x', /^is not a URL/],
      ['postgres://u:a?b@db.example/x', /^is not a URL/],
      ['postgres://u:a#b@db.example/x', /^is not a URL/],
      [
        'postgres://u@a,b/x?target_session_attrs=standby',
        /^has target_session_attrs=standby; set it to any or read-write/,
      ],
      ['postgres://u@a/x?target_session_attrs=prefer-standby', /^has target_session_attrs=prefer-standby/],
      ['postgres://u@a:0,b/x', /^has the port "0"/],
      ['postgres://u@a,,b/x', /^has an empty host/],
      ['postgres://u@a:1,b:x/x', /^has the host "b:x"/],
      ['postgres://u@/x?host=a,b,c&port=1,2', /^has 3 hosts but 2 ports/],
    ] as const)
      assert.throws(() => parseDatabaseUrl(url), { message });
  });
});
