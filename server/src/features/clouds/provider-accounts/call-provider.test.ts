import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Services } from '../../../platform/services.ts';
import type { ProviderRequest } from '../../../providers/contract.ts';
import { polar } from '../../../providers/polar/index.ts';
import type { ProviderApp } from '../provider-apps/index.ts';
import { callProvider } from './call-provider.ts';

const APP: ProviderApp = {
  id: 'app',
  environment: 'live',
  provider: polar,
  client: { clientId: 'id', clientSecret: 'secret' },
  origins: { ...polar.origins, files: 'https://files.example.com' },
};
const FILE: ProviderRequest = { origin: 'files', method: 'GET', path: '/1.fit', accepts: 'file', as: 'nobody' };

type Sent = { url: string; headers: Record<string, string>; maxResponseBytes: number };

function outboundWith(status: number, body: Buffer) {
  const sent: Sent[] = [];
  const request = (_: string, url: string, options: Omit<Sent, 'url'>) => {
    sent.push({ url, ...options });
    return Promise.resolve({ ok: true, status, headers: {}, body });
  };
  return { sent, services: { outbound: { request } } as unknown as Pick<Services, 'outbound' | 'ownOutbound'> };
}

describe('a request for a file', () => {
  it('counts as refused with 413 if the file is too large, because a repetition would not help', async () => {
    const failure = { ok: false, reason: 'too_large', message: 'The response is too large.', status: 200 };
    const outbound = { request: () => Promise.resolve(failure) };
    const services = { outbound } as unknown as Pick<Services, 'outbound' | 'ownOutbound'>;
    const reply = await callProvider(services, APP, FILE, null);
    assert.deepEqual('body' in reply && [reply.status, reply.body], [413, null]);
    const { accepts: _file, ...page } = FILE;
    assert.ok('failed' in (await callProvider(services, APP, page, null)));
  });

  it('returns the bytes, without a credential and within its own limit', async () => {
    const { sent, services } = outboundWith(200, Buffer.from([14, 16, 0]));
    const reply = await callProvider(services, APP, FILE, 'access-token');
    assert.deepEqual('body' in reply && reply.body, new Uint8Array([14, 16, 0]));
    const [{ url, headers, maxResponseBytes } = assert.fail()] = sent;
    assert.equal(url, 'https://files.example.com/1.fit');
    assert.deepEqual(headers, { accept: '*/*' });
    assert.equal(maxResponseBytes, 8 * 1_048_576);
  });

  it('has no body if the provider refuses it', async () => {
    const { services } = outboundWith(403, Buffer.from('<Error/>'));
    const reply = await callProvider(services, APP, FILE, null);
    assert.deepEqual('body' in reply && [reply.status, reply.body], [403, null]);
  });
});
