// A phone for tests: an SDK session of a user, and uploads from it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Answer, JsonBody, TestApi } from './test-api.ts';
import type { TestService } from './test-service.ts';

export type TestPhone = {
  readonly api: TestApi;
  readonly sessionId: string;
  readonly accessToken: string;
  /** Expects 200 and returns the body. */
  upload(parts: object): Promise<JsonBody>;
  /** Accepts any status. */
  send(body: unknown, headers?: Record<string, string>): Promise<Answer>;
};

type PhoneOptions = { installationId?: string; platform?: 'ios' | 'android'; scopes?: string[]; key?: string };

/** `source` may be part of the upload; the default is an Apple Watch. */
export async function startPhone(
  service: Pick<TestService, 'api'>,
  userId: string,
  options: PhoneOptions = {},
): Promise<TestPhone> {
  const bootstrap = await service.api(options.key).post(
    `/v1/users/${userId}/sdk-sessions`,
    {
      installation_id: options.installationId ?? randomUUID(),
      platform: options.platform ?? 'ios',
      ...(options.scopes && { scopes: options.scopes }),
    },
    { headers: { 'idempotency-key': randomUUID() } },
  );
  assert.ok(bootstrap.status === 201 || bootstrap.status === 200, bootstrap.text);
  const exchanged = await service
    .api(null)
    .post('/v1/sdk/sessions/exchange', { client_token: bootstrap.body.client_token });
  assert.equal(exchanged.status, 200, exchanged.text);
  const api = service.api(exchanged.body.access_token);
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    api.call('POST', '/v1/sdk/uploads', { body, headers });
  return {
    api,
    sessionId: bootstrap.body.session_id,
    accessToken: exchanged.body.access_token,
    send,
    async upload(parts) {
      const source = { provider: options.platform === 'android' ? 'health_connect' : 'apple_health', ...WATCH };
      const answer = await send({ upload_id: randomUUID(), source, ...parts });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
  };
}

const WATCH = { id: 'watch-1', name: 'Watch', model: 'Watch7,1', device_class: 'wrist' };
export const IPHONE = {
  provider: 'apple_health',
  id: 'phone-1',
  name: 'Phone',
  model: 'iPhone15,2',
  device_class: 'phone',
};
export const RING = { provider: 'apple_health', id: 'ring-1', name: 'Ring', device_class: 'ring' };
