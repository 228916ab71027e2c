import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { Headers as UndiciHeaders } from 'undici';
import { type VerificationFailure, verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const SECRET = newSecret();
const BODY = JSON.stringify({ event_id: 'e1', event_type: 'data.updated', note: 'é' });

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function sign(secret: string, body: string, at: string | number = NOW.getTime() / 1_000): string {
  const key = Buffer.from(secret.slice(6), 'base64');
  return `v1,${createHmac('sha256', key).update(`e1.${at}.${body}`).digest('base64')}`;
}

function headersOf(signature: string, at: string | number = NOW.getTime() / 1_000): Record<string, string> {
  return { 'webhook-id': 'e1', 'webhook-timestamp': String(at), 'webhook-signature': signature };
}

const GOOD = { secret: SECRET, headers: headersOf(sign(SECRET, BODY)), body: BODY, now: NOW };

async function expectFailure(
  reason: VerificationFailure,
  delivery: Parameters<typeof verifyWebhook>[0],
): Promise<void> {
  await assert.rejects(verifyWebhook(delivery), (error) => {
    assert.ok(error instanceof WebhookVerificationError);
    assert.equal(error.reason, reason);
    return true;
  });
}

describe('verifyWebhook', () => {
  it('returns the event of a text, of bytes and of a buffer', async () => {
    const bytes = new TextEncoder().encode(BODY);
    for (const body of [BODY, bytes, Buffer.from(BODY), bytes.buffer])
      assert.deepEqual(await verifyWebhook({ ...GOOD, body }), JSON.parse(BODY));
  });

  it('reads headers in any case, as a list, as Headers, and as those of another package', async () => {
    const upper = Object.fromEntries(
      Object.entries(GOOD.headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    const foreign = new UndiciHeaders(GOOD.headers) as unknown as Headers;
    for (const headers of [upper, new Headers(GOOD.headers), foreign]) await verifyWebhook({ ...GOOD, headers });
  });

  it('accepts one matching signature among several, and one matching secret', async () => {
    const both = `${sign(newSecret(), BODY)} v9,zzz v1,%% ${sign(SECRET, BODY)}`;
    await verifyWebhook({ ...GOOD, headers: headersOf(both) });
    await verifyWebhook({ ...GOOD, secret: [newSecret(), SECRET] });
  });

  it('rejects a changed body, id, time, secret and version', async () => {
    await expectFailure('wrong_signature', { ...GOOD, body: `${BODY} ` });
    await expectFailure('wrong_signature', { ...GOOD, headers: { ...GOOD.headers, 'webhook-id': 'e2' } });
    await expectFailure('wrong_signature', { ...GOOD, headers: headersOf(sign(SECRET, BODY), 1_767_225_601) });
    await expectFailure('wrong_signature', { ...GOOD, secret: newSecret() });
    await expectFailure('wrong_signature', { ...GOOD, headers: headersOf(sign(SECRET, BODY).replace('v1,', 'v2,')) });
    await expectFailure('wrong_signature', { ...GOOD, headers: headersOf('v1,') });
  });

  it('rejects missing headers and times that are none or too far away', async () => {
    for (const name of Object.keys(GOOD.headers))
      await expectFailure('missing_header', { ...GOOD, headers: { ...GOOD.headers, [name]: '' } });
    await expectFailure('invalid_timestamp', { ...GOOD, headers: headersOf(sign(SECRET, BODY, '1e9'), '1e9') });
    for (const seconds of [-301, 301]) {
      const at = NOW.getTime() / 1_000 + seconds;
      const delivery = { ...GOOD, headers: headersOf(sign(SECRET, BODY, at), at) };
      await expectFailure('expired', delivery);
      await verifyWebhook({ ...delivery, toleranceSeconds: 301 });
    }
  });

  it('rejects a signed body that is not JSON, and says when the secret is none', async () => {
    await expectFailure('invalid_body', { ...GOOD, body: 'x', headers: headersOf(sign(SECRET, 'x')) });
    await assert.rejects(verifyWebhook({ ...GOOD, secret: '' }), TypeError);
  });
});
