// Every change that the public API offers to API keys, and to members under the path of the dashboard.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beginConnecting, walkThroughConsent } from './connect-account.ts';
import type { Answer, TestApi } from './test-api.ts';
import { createRosterSide, newAddress } from './test-roster.ts';
import { startTestService } from './test-service.ts';
import { createUser, newReference } from './test-users.ts';
import { waitUntil } from './wait-until.ts';
import { startSink, type WebhookSink } from './webhook-sink.ts';

export const LIMIT_MS = 30_000;

type PublicScene = {
  /** With the keys of an account, to prepare what a change needs. */
  readonly live: TestApi;
  readonly sandbox: TestApi;
  /** Who makes the changes, in the same account. */
  readonly caller: { readonly live: TestApi; readonly sandbox: TestApi };
};

/** By operation. Each prepares its data and makes the call. */
export type PublicChanges = Readonly<Record<string, (scene: PublicScene) => Promise<Answer>>>;

export const userOf = async ({ live }: Pick<PublicScene, 'live'>) => (await createUser(live)).id as string;

export async function webhookOf({ live }: Pick<PublicScene, 'live'>, sink: WebhookSink): Promise<string> {
  const answer = await live.post('/v1/webhooks', { url: sink.url(`/${randomUUID()}`), events: ['*'] });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.id;
}

async function deviceOf({ sandbox }: PublicScene): Promise<string> {
  const { id } = await createUser(sandbox, { seed: false });
  const begun = await beginConnecting(sandbox, id, 'oura');
  await walkThroughConsent(begun.auth_url);
  return `/v1/users/${id}/devices/${begun.id}`;
}

const sessionsOf = async (scene: PublicScene) => `/v1/users/${await userOf(scene)}/sdk-sessions`;
const createSession = (api: TestApi, path: string) =>
  api.post(path, { installation_id: randomUUID(), platform: 'ios' }, { headers: { 'idempotency-key': randomUUID() } });

/** A service whose webhooks may go to the sink on this machine. */
export async function startServiceWithSink() {
  const printedLines: string[] = [];
  const service = await startTestService({
    printedLines,
    environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1', TRIBUTARY_BACKFILL_DAYS: '1' },
  });
  const sink = await startSink();
  const stop = async () => {
    await service.stop();
    await sink.close();
  };
  return { service, sink, changes: publicChangesOf({ sink, printedLines }), stop };
}

function publicChangesOf(options: { sink: WebhookSink; printedLines: readonly string[] }): PublicChanges {
  const { sink, printedLines } = options;
  const pathOf = async (scene: PublicScene) => `/v1/webhooks/${await webhookOf(scene, sink)}`;
  return {
    createUser: ({ caller }) => caller.live.post('/v1/users', { external_ref: newReference() }),
    updateUser: async (scene) =>
      scene.caller.live.patch(`/v1/users/${await userOf(scene)}`, { external_ref: newReference() }),
    deleteUser: async (scene) => scene.caller.live.delete(`/v1/users/${await userOf(scene)}`),
    connectDevice: async ({ caller, sandbox }) => {
      const { id } = await createUser(sandbox, { seed: false });
      return caller.sandbox.post(`/v1/users/${id}/devices`, { provider: 'oura' });
    },
    disconnectDevice: async (scene) => scene.caller.sandbox.delete(await deviceOf(scene)),
    syncDevice: async (scene) => scene.caller.sandbox.post(`${await deviceOf(scene)}/sync`),
    changeConsolidation: async (scene) =>
      scene.caller.live.patch(`/v1/users/${await userOf(scene)}/consolidation`, {
        metrics: { steps: { method: 'max' } },
      }),
    resetConsolidation: async (scene) => {
      const path = `/v1/users/${await userOf(scene)}/consolidation`;
      assert.equal((await scene.live.patch(path, { metrics: { steps: { method: 'max' } } })).status, 202);
      return scene.caller.live.delete(path);
    },
    inviteMember: ({ caller }) => caller.live.post('/v1/team/roster/invitations', { email: newAddress() }),
    revokeInvitation: async ({ caller, live }) => {
      const { id } = await createRosterSide(live, printedLines).invite(newAddress());
      return caller.live.delete(`/v1/team/roster/invitations/${id}`);
    },
    updateMember: async ({ caller, live }) => {
      const { id } = await createRosterSide(live, printedLines).join(newAddress());
      return caller.live.patch(`/v1/team/roster/${id}`, { status: 'archived' });
    },
    removeMember: async ({ caller, live }) => {
      const { id } = await createRosterSide(live, printedLines).join(newAddress());
      return caller.live.delete(`/v1/team/roster/${id}`);
    },
    createSdkSession: async (scene) => createSession(scene.caller.live, await sessionsOf(scene)),
    revokeSdkSession: async (scene) => {
      const path = await sessionsOf(scene);
      return scene.caller.live.delete(`${path}/${(await createSession(scene.live, path)).body.session_id}`);
    },
    issueUserToken: async (scene) => scene.caller.live.post('/v1/auth/user-token', { user_id: await userOf(scene) }),
    refreshUserToken: async (scene) =>
      scene.caller.live.post('/v1/auth/user-token/refresh', { user_id: await userOf(scene) }),
    issueMobileToken: async (scene) =>
      scene.caller.live.post('/v1/auth/mobile-token', { user_id: await userOf(scene) }),
    createWebhook: ({ caller }) => caller.live.post('/v1/webhooks', { url: sink.url('/made'), events: ['*'] }),
    updateWebhook: async (scene) => scene.caller.live.patch(await pathOf(scene), { url: sink.url('/other') }),
    deleteWebhook: async (scene) => scene.caller.live.delete(await pathOf(scene)),
    rotateWebhookSecret: async (scene) => scene.caller.live.post(`${await pathOf(scene)}/rotate-secret`),
    testWebhook: async (scene) => scene.caller.live.post(`${await pathOf(scene)}/test`),
    retryDelivery: async (scene) => {
      const path = await pathOf(scene);
      assert.ok((await scene.live.post(`${path}/test`)).status < 300);
      const delivery = await waitUntil(
        'the delivery was made',
        async () => {
          const { data } = (await scene.live.get(`${path}/deliveries`)).body;
          return data.find(({ status }: { status: string }) => status === 'succeeded');
        },
        LIMIT_MS,
      );
      return scene.caller.live.post(`${path}/deliveries/${delivery.id}/retry`);
    },
  };
}
