// Tests which addresses the settings of the operator open for webhooks, at registration. Nothing is sent: no account has events.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';

const ALLOW_PRIVATE = await startTestService({ role: 'api', environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' } });
const NETWORKS = await startTestService({
  role: 'api',
  environment: { TRIBUTARY_WEBHOOK_NETWORKS: '10.0.0.0/8, fd00::/8' },
});
after(async () => {
  await ALLOW_PRIVATE.stop();
  await NETWORKS.stop();
});

async function expectStatus(service: TestService, status: number, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const answer = await service.api().post('/v1/webhooks', { url, events: ['user.deleted'] });
    assert.equal(answer.status, status, `${url}: ${answer.text}`);
    if (status === 400) assert.equal(answer.body.details.issues[0].path, 'url');
  }
}

describe('POST /v1/webhooks with TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS=1', () => {
  it('201 for http and for this machine', async () => {
    await expectStatus(ALLOW_PRIVATE, 201, [
      ...['http://127.0.0.1:3000/hook', 'http://127.0.0.53/', 'http://[::1]:3000/', 'http://localhost:3000/'],
      ...['https://app.localhost/', 'http://hooks.example.com/'],
    ]);
  });

  it('400 for every other private address and name', async () => {
    await expectStatus(ALLOW_PRIVATE, 400, [
      ...['http://10.0.0.1/', 'https://10.0.0.1/', 'http://172.16.0.1/', 'http://192.168.1.1/', 'http://100.64.0.1/'],
      ...['http://[fd00::1]/', 'http://169.254.169.254/', 'http://[fe80::1]/', 'http://0.0.0.0/', 'http://167772161/'],
      ...['http://receiver/', 'https://receiver.internal/', 'http://printer.local/', 'http://localhost.localdomain/'],
    ]);
  });
});

describe('POST /v1/webhooks with TRIBUTARY_WEBHOOK_NETWORKS', () => {
  it('201 for an address of the networks, also over http, and for every name', async () => {
    await expectStatus(NETWORKS, 201, [
      ...['http://10.1.2.3:8080/hook', 'https://10.0.0.1/', 'http://[fd12::1]/', 'http://167772161/'],
      ...['http://receiver/', 'http://receiver.internal/', 'https://receiver.local/', 'https://hooks.example.com/'],
    ]);
  });

  it('400 for every other private address, for this machine, and for metadata services in the networks', async () => {
    await expectStatus(NETWORKS, 400, [
      ...['http://192.168.1.1/', 'https://172.16.0.1/', 'http://127.0.0.1/', 'https://[::1]/', 'https://localhost/'],
      ...['https://169.254.169.254/', 'https://[fd00:ec2::254]/', 'https://[fd00:ec2::23]/', 'https://0.0.0.0/'],
      'http://8.8.8.8/',
    ]);
  });

  it('400 names both settings', async () => {
    const { text } = await NETWORKS.api().post('/v1/webhooks', { url: 'https://192.168.1.1/', events: ['*'] });
    assert.match(text, /TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS.*TRIBUTARY_WEBHOOK_NETWORKS/);
  });
});
