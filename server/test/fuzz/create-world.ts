// The records that a fuzz run starts with: users with data in both environments, phones, tokens, webhooks, a roster.
import assert from 'node:assert/strict';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { startPhone } from '../support/test-phone.ts';
import { createRosterSide, newAddress } from '../support/test-roster.ts';
import type { TestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { type FuzzEnvironment, type FuzzUser, type FuzzWorld, newUser } from './fuzz-world.ts';

const KEPT_USERS = 3;
const DAYS = 10;

export async function createWorld(
  service: TestService,
  { receiver, printed }: { receiver: string; printed: readonly string[] },
): Promise<FuzzWorld> {
  const account = await createAccount(service);
  const environments = [emptyEnvironment(account.live), emptyEnvironment(account.sandbox)];
  const [live, sandbox] = environments as [FuzzEnvironment, FuzzEnvironment];
  const phones = [];
  for (let count = 0; count < KEPT_USERS; count += 1) {
    const { id } = await createUser(service.api(live.key));
    live.users.push(newUser(id, true));
    phones.push(await startPhone(service, id, { key: live.key }));
  }
  for (const phone of phones) await phone.upload(someDays());
  sandbox.users.push(newUser((await createUser(service.api(sandbox.key))).id, true));
  for (const { key, webhooks } of environments)
    for (let count = 0; count < 2; count += 1) {
      const webhook = await service.api(key).post('/v1/webhooks', { url: `${receiver}/kept`, events: ['*'] });
      assert.equal(webhook.status, 201, webhook.text);
      webhooks.push({ id: webhook.body.data.id, deliveries: [] });
    }
  const roster = createRosterSide(service.api(live.key), printed);
  live.invitations.push((await roster.invite(newAddress())).id);
  for (let count = 0; count < 3; count += 1) live.members.push((await roster.join(newAddress())).id);
  const userTokens = await Promise.all(
    environments.flatMap(({ key, users }) => users.map((user) => issueToken(service, key, user))),
  );
  return {
    environments,
    userTokens,
    uploadTokens: phones.map(({ accessToken }) => accessToken),
    sdkTokens: [],
    clientTokens: [],
    refreshTokens: [],
    etags: [],
    receiver,
  };
}

function emptyEnvironment(key: string): FuzzEnvironment {
  return { key, users: [], webhooks: [], invitations: [], members: [], cursors: [] };
}

async function issueToken(service: TestService, key: string, { id }: FuzzUser) {
  const answer = await service.api(key).post('/v1/auth/user-token', { user_id: id });
  assert.equal(answer.status, 200, answer.text);
  return { userId: id, token: answer.body.token as string };
}

/** Samples, daily values, nights and a workout per day. */
function someDays(): object {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const days = Array.from({ length: DAYS }, (_, index) => today - (index + 1) * DAY_MS);
  const at = (day: number, hour: number) => new Date(day + hour * 3_600_000).toISOString();
  return {
    samples: days.map((day) => ({ metric: 'heart_rate', start: at(day, 9), value: 60 })),
    daily: days.map((day) => ({ date: at(day, 0).slice(0, 10), metric: 'steps', value: 7_000 })),
    sleep: days.map((day) => ({ start: at(day, 0), end: at(day, 7), asleep_minutes: 400 })),
    workouts: days.map((day) => ({ sport_type: 'running', start: at(day, 17), end: at(day, 18) })),
  };
}
