import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCallback } from './read-callback.ts';

const read = (query: string, rule: { issuer?: string } = {}) =>
  readCallback(rule, 'client', new URLSearchParams(query), 'S');

describe('the callback of a provider', () => {
  it('returns the code when the state matches', async () => {
    assert.deepEqual(await read('code=C&state=S&scope=daily'), { code: 'C' });
  });

  it('distinguishes a denied consent from a provider error', async () => {
    assert.deepEqual(await read('error=access_denied&state=S'), { failed: 'denied' });
    assert.deepEqual(await read('error=server_error&error_description=%3Cscript%3E&state=S'), { failed: 'provider' });
  });

  const unsound = {
    'another state': 'code=C&state=T',
    'no state': 'code=C',
    'no code': 'state=S',
    'an empty code': 'code=&state=S',
    'two codes': 'code=C&code=D&state=S',
    'two states': 'code=C&state=S&state=T',
    'two errors': 'error=a&error=b&state=S',
    'a token (implicit flow)': 'code=C&state=S&token=T',
    'an ID token (hybrid flow)': 'code=C&state=S&id_token=T',
    'a JARM response': 'response=J&state=S',
  };
  for (const [name, query] of Object.entries(unsound))
    it(`rejects ${name}`, async () => assert.deepEqual(await read(query), { failed: 'unsound' }));

  it('requires the issuer if the provider has one (RFC 9207)', async () => {
    const issuer = 'https://accounts.example';
    assert.deepEqual(await read(`code=C&state=S&iss=${issuer}`, { issuer }), { code: 'C' });
    assert.deepEqual(await read('code=C&state=S', { issuer }), { failed: 'unsound' });
    assert.deepEqual(await read('code=C&state=S&iss=https://evil.example', { issuer }), { failed: 'unsound' });
    assert.deepEqual(await read(`code=C&state=S&iss=${issuer}&iss=${issuer}`, { issuer }), { failed: 'unsound' });
    assert.deepEqual(await read('code=C&state=S&iss=https://anyone.example'), { code: 'C' });
  });
});
