// Creates users and their phones through the API.
import { randomUUID } from 'node:crypto';
import type { BenchService } from './bench-service.ts';
import { mapInParallel } from './map-in-parallel.ts';

const PARALLEL_CREATIONS = 16;

export function createUsers(
  { facts, call }: BenchService,
  count: number,
  { key = facts.key, timezone = 'Europe/Berlin' } = {},
): Promise<string[]> {
  return mapInParallel(count, PARALLEL_CREATIONS, async (index) => {
    const fields = {
      reference_id: `person-${index}`,
      timezone,
      profile: { birth_date: '1990-04-01', sex: 'female', height_cm: 172, weight_kg: 64.5 },
      metadata: { cohort: 'spring', site: 'berlin' },
    };
    const user = await call<{ data: { id: string } }>('POST', '/v1/users', fields, key);
    return user.data.id;
  });
}

/** The access token of an SDK session of each user. */
export function openSessions(
  { facts, call }: BenchService,
  userIds: readonly string[],
  key = facts.key,
): Promise<string[]> {
  return mapInParallel(userIds.length, PARALLEL_CREATIONS, async (index) => {
    const answer = await fetch(`${facts.url}/v1/users/${userIds[index]}/sdk-sessions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ installation_id: randomUUID(), platform: 'ios' }),
    });
    const { client_token } = (await answer.json()) as { client_token: string };
    const session = await call<{ access_token: string }>('POST', '/v1/sdk/sessions/exchange', { client_token });
    return session.access_token;
  });
}
