// What may not reach a log.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createLogger } from './log.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger('trace', { write: (line: string) => void lines.push(line) }));
  return lines.join('');
}

it('logs a database error without its row and value', () => {
  const error = Object.assign(new Error('invalid input syntax for type integer: "weight 81.4"'), {
    code: '22P02',
    detail: 'Key (reference_id)=(ada) already exists.',
    where: "unnamed portal parameter $1 = 'secret'",
    table: 'users',
    routine: 'pg_strtoint32_safe',
  });
  const text = logged((log) => log.error({ err: new Error('failed', { cause: error }) }, 'a job failed'));
  assert.doesNotMatch(text, /81\.4|ada|secret/);
  assert.match(text, /22P02/);
  assert.match(text, /"table":"users"/);
});

it('redacts authorization, tokens and keys, also one level deep', () => {
  const text = logged((log) =>
    log.info({ headers: { authorization: 'Bearer abc' }, token: 'def', made: { key: 'ghi' } }, 'x'),
  );
  assert.doesNotMatch(text, /abc|def|ghi/);
});

it('redacts JWTs wherever they begin, and keeps other dotted words', () => {
  const jwt = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  const text = logged((log) =>
    log.info({ reason: `a.${jwt} x-${jwt} eyJhbGciOiJFZERTQSJ9.only www.example.org` }, jwt),
  );
  assert.doesNotMatch(text, /c2lnbmF0dXJl|eyJzdWIi/);
  assert.match(text, /a\.\[redacted\] x-\[redacted\] eyJhbGciOiJFZERTQSJ9\.only www\.example\.org/);
});

it('logs a long text that begins tokens again and again within a second of CPU', () => {
  const before = process.cpuUsage();
  for (const start of ['eyJ-', 'eyJaaaaaaaaaa.', 'whsec_', 'sk_live_'])
    logged((log) => log.warn({ reason: start.repeat(65_536 / start.length) }, 'x'));
  assert.ok(process.cpuUsage(before).user < 1_000_000);
});
