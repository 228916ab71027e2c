import assert from 'node:assert/strict';
import { it } from 'node:test';
import { writeCurl } from './write-curl.ts';

it('writes the request as a command that a shell can run', () => {
  assert.equal(
    writeCurl('https://a.example/in', [{ name: 'webhook-id', value: '1' }], `{"note":"it's"}`),
    `curl -X POST 'https://a.example/in' \\\n  -H 'webhook-id: 1' \\\n  --data-raw '{"note":"it'\\''s"}'`,
  );
});
