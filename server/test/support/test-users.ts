// Users for tests, and the few differences between the two forms.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { JsonBody, TestApi } from './test-api.ts';
import type { TestService } from './test-service.ts';

export const ABSENT_ID = '0190a000-0000-7000-8000-000000000000';

/** How each form names the reference and wraps one user. */
export const USER_FORMS = [
  { form: '1', reference: 'reference_id', unwrap: (body: JsonBody): JsonBody => body.data },
  { form: '2', reference: 'external_ref', unwrap: (body: JsonBody): JsonBody => body },
] as const;

export function newReference(): string {
  return `ref-${randomUUID()}`;
}

/** Created in Form 2; returns the bare user. */
export async function createUser(api: TestApi, fields: object = {}): Promise<JsonBody> {
  const answer = await api.post('/v1/users', { external_ref: newReference(), ...fields });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** A sandbox user of the account "default" without generated data, which would take half a second. */
export async function createSandboxUser(service: TestService): Promise<{ id: string }> {
  const user = await createUser(service.api());
  await service.running.services.db.query(
    `with moved as (update users set environment = 'sandbox' where id = $1 returning account_id)
     update account_environments e set user_count = user_count + case environment when 'sandbox' then 1 else -1 end
       from moved where e.account_id = moved.account_id`,
    [user.id],
  );
  return { id: user.id };
}

/** A new account, so that a test counts and lists only its own users. */
export async function createAccount(
  service: TestService,
): Promise<{ name: string; id: string; live: string; sandbox: string }> {
  const account = await createLiveAccount(service);
  return { ...account, sandbox: await createKey(service, account.name, 'sandbox') };
}

/** Without a key of the sandbox, for tests that create many. */
export async function createLiveAccount(service: TestService): Promise<{ name: string; id: string; live: string }> {
  const name = `account ${randomUUID()}`;
  const account = await service.operator().post('/admin/accounts', { name });
  assert.equal(account.status, 201, account.text);
  return { name, id: account.body.id, live: await createKey(service, name, 'live') };
}

export async function createKey(service: TestService, account: string, environment: string): Promise<string> {
  const answer = await service.operator().post('/admin/keys', { account, environment });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.key;
}

export async function rotateKey(service: TestService, account: string, environment: string): Promise<string> {
  const answer = await service.operator().post('/admin/keys/rotate', { account, environment, name: 'default' });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.key;
}

/** The paths in `details.issues`. */
export function issuePaths(body: JsonBody): string[] {
  return body.details.issues.map((issue: { path: string }) => issue.path);
}
