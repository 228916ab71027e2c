import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import { formatUrl } from './format-url.ts';

it('formats URLs that pg can parse', () => {
  const targets = [
    { host: '/tmp/a b/socket', port: 5433, user: 'tributary', database: 'tributary' },
    { host: '127.0.0.1', port: 5434, user: 'tri@butary', database: 'my data' },
  ];
  for (const target of targets) {
    const { host, port, user, database } = new pg.Client({ connectionString: formatUrl(target) });
    assert.deepEqual({ host, port, user, database }, target);
  }
});
