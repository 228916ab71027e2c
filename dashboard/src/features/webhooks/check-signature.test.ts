import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { checkSignature } from './check-signature.ts';

const KEY = Buffer.from('0123456789abcdef0123456789abcdef');
const SECRET = `whsec_${KEY.toString('base64')}`;
const MESSAGE = { id: 'e1', timestamp: '1794768660', body: '{"name":"Zoë"}' };
const SIGNATURE = `v1,${createHmac('sha256', KEY).update('e1.1794768660.{"name":"Zoë"}').digest('base64')}`;

describe('the check of a signature', () => {
  it('matches one of several signatures', async () => {
    const check = await checkSignature(` ${SECRET} `, MESSAGE, `v1,other ${SIGNATURE}`);
    assert.deepEqual(check, { outcome: 'matches', computed: SIGNATURE });
  });

  it('differs for another secret', async () => {
    const other = `whsec_${Buffer.from('another secret of some length').toString('base64')}`;
    assert.equal((await checkSignature(other, MESSAGE, SIGNATURE)).outcome, 'differs');
  });

  it('does not read what is not a secret', async () => {
    for (const text of ['secret', 'whsec_', 'whsec_***'])
      assert.deepEqual(await checkSignature(text, MESSAGE, SIGNATURE), { outcome: 'unreadable' });
  });
});
