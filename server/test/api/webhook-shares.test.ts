// Endpoints of some accounts hang while another account has deliveries: each account has a share of a dispatcher's slots.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { SERVICE_TIMEOUTS } from '../../src/compose.ts';
import type { AccountId, Tenant } from '../../src/domain/tenancy.ts';
import { awaitRounds } from '../support/loop-rounds.ts';
import { writeEvent } from '../support/test-events.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSink } from '../support/webhook-sink.ts';

/** The maximum per environment: two accounts want 560 of 512 slots at once. */
const HANGING = { live: 100, sandbox: 40 } as const;
const EVENTS = 4;
/** On a busy machine the preparation takes longer than an attempt may, and a hanging attempt must not end by itself. */
const TEST_LIMIT_MS = 120_000;

const service = await startTestService({
  environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' },
  timeouts: { ...SERVICE_TIMEOUTS, deliveryMs: TEST_LIMIT_MS },
});
const sink = await startSink();
const hanging = await startHanging();
after(async () => {
  await hanging.close();
  await sink.close();
  await service.stop();
});
const { db } = service.running.services;

/** Accepts requests and never responds. */
async function startHanging() {
  const open = new Set<Socket>();
  let ended = 0;
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      ended += 1;
    });
    socket.resume();
  });
  server.listen(0, '127.0.0.1', 4_096);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: (path: string) => `http://127.0.0.1:${port}/${path}`,
    countOpen: () => open.size,
    countEnded: () => ended,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function openHangingAccount(): Promise<void> {
  const account = await createAccount(service);
  for (const environment of ['live', 'sandbox'] as const) {
    const api = service.api(account[environment]);
    const { id } = await createUser(api);
    for (let index = 0; index < HANGING[environment]; index += 1) {
      const made = await api.post('/v1/webhooks', { url: hanging.url(`${environment}/${index}`), events: ['*'] });
      assert.equal(made.status, 201, made.text);
    }
    await publish({ accountId: account.id as AccountId, environment }, id);
  }
}

async function publish(tenant: Tenant, userId: string): Promise<void> {
  for (let count = 0; count < EVENTS; count += 1) await writeEvent(db, tenant, userId);
}

describe('an account whose endpoints hang', () => {
  it('does not delay the deliveries of another account', async () => {
    await openHangingAccount();
    await openHangingAccount();
    await waitUntil(
      'these accounts use their whole share of attempts',
      async () => {
        const before = hanging.countOpen();
        await awaitRounds(service.running, ['publisher', 'dispatcher']);
        return before > 200 && hanging.countOpen() === before;
      },
      TEST_LIMIT_MS,
    );
    const healthy = await createAccount(service);
    const api = service.api(healthy.live);
    const { id } = await createUser(api);
    for (let index = 0; index < 3; index += 1)
      await api.post('/v1/webhooks', { url: sink.url(`/healthy-${index}`), events: ['*'] });
    await publish({ accountId: healthy.id as AccountId, environment: 'live' }, id);
    for (let index = 0; index < 3; index += 1) await sink.wait(`/healthy-${index}`, EVENTS, TEST_LIMIT_MS);
    assert.equal(hanging.countEnded(), 0, 'every hanging attempt is still in flight');
  });
});
