// The records that random requests name, so that they also succeed. Responses add the records that they create.
import type { Random } from '../faults/random.ts';
import type { Answer, JsonBody } from '../support/test-api.ts';
import { drawUuid, pick } from './generate-value.ts';

const MOST_KNOWN = 40;

export type FuzzUser = {
  readonly id: string;
  /** Kept to the end with its devices and sessions, so that reads always find data. */
  readonly isKept: boolean;
  readonly devices: string[];
  readonly workouts: string[];
  readonly sessions: string[];
};

export type FuzzEnvironment = {
  readonly key: string;
  readonly users: FuzzUser[];
  readonly webhooks: { readonly id: string; readonly deliveries: string[] }[];
  readonly invitations: string[];
  readonly members: string[];
  readonly cursors: string[];
};

export type FuzzWorld = {
  readonly environments: readonly FuzzEnvironment[];
  readonly userTokens: readonly { readonly userId: string; readonly token: string }[];
  readonly uploadTokens: readonly string[];
  readonly sdkTokens: string[];
  readonly clientTokens: string[];
  readonly refreshTokens: string[];
  readonly etags: string[];
  readonly receiver: string;
};

/** What one request is about. */
export type Subject = { readonly environment: FuzzEnvironment; readonly user: FuzzUser };

export function chooseSubject(random: Random, world: FuzzWorld, { isRemoval }: { isRemoval: boolean }): Subject {
  const environment = pick(random, world.environments);
  const users = isRemoval ? environment.users.filter((user) => !user.isKept) : environment.users;
  return { environment, user: users.length > 0 ? pick(random, users) : newUser(drawUuid(random)) };
}

/** Adds the ids and tokens of a successful response. */
export function learn(
  world: FuzzWorld,
  { environment, user }: Subject,
  operation: string,
  path: string,
  answer: Answer,
): void {
  const { body, headers } = answer;
  if (operation.startsWith('DELETE') && answer.status < 300) forget(environment, user, operation, path);
  if (answer.status >= 300 || body === null) return;
  remember(world.etags, headers.get('etag'));
  remember(environment.cursors, body.next_cursor);
  const idsOf = (list: JsonBody) => (list?.data ?? list ?? []).map((item: JsonBody) => item.id);
  switch (operation) {
    case 'POST /v1/users':
      remember(environment.users, newUser((body.data ?? body).id));
      return;
    case 'POST /v1/users/{user_id}/devices':
      remember(user.devices, (body.data ?? body).id);
      return;
    case 'GET /v1/users/{user_id}/devices':
      rememberAll(user.devices, idsOf(body));
      return;
    case 'GET /v1/users/{user_id}/workouts':
      rememberAll(user.workouts, idsOf(body));
      return;
    case 'POST /v1/users/{user_id}/sdk-sessions':
      remember(world.clientTokens, body.client_token);
      remember(user.sessions, body.session_id);
      return;
    case 'POST /v1/sdk/sessions/exchange':
    case 'POST /v1/sdk/sessions/refresh':
      remember(world.sdkTokens, body.access_token);
      remember(world.refreshTokens, body.refresh_token);
      return;
    case 'POST /v1/webhooks':
      remember(environment.webhooks, { id: (body.data ?? body).id, deliveries: [] });
      return;
    case 'GET /v1/webhooks/{webhook_id}/deliveries':
      for (const webhook of environment.webhooks) rememberAll(webhook.deliveries, idsOf(body));
      return;
    case 'POST /v1/team/roster/invitations':
      remember(environment.invitations, body.id);
      return;
    case 'GET /v1/team/roster':
      rememberAll(environment.members, idsOf(body));
      return;
  }
}

/** Later requests would only find out that it is gone. */
function forget({ users, webhooks, ...lists }: FuzzEnvironment, user: FuzzUser, operation: string, path: string): void {
  const id = path.split('/').at(-1);
  if (operation === 'DELETE /v1/users/{user_id}') remove(users, (item) => item.id === id);
  remove(webhooks, (item) => item.id === id);
  for (const list of [lists.invitations, lists.members, user.devices, user.sessions])
    remove(list, (item) => item === id);
}

function remove<Item>(list: Item[], isGone: (item: Item) => boolean): void {
  const index = list.findIndex(isGone);
  if (index >= 0) list.splice(index, 1);
}

export function newUser(id: string, isKept = false): FuzzUser {
  return { id, isKept, devices: [], workouts: [], sessions: [] };
}

function rememberAll(list: string[], items: readonly string[]): void {
  for (const item of items) if (!list.includes(item)) remember(list, item);
}

/** The first entries are the ones that the test made; later ones replace each other. */
function remember<Item>(list: Item[], item: Item | null | undefined): void {
  if (item === null || item === undefined) return;
  list.push(item);
  if (list.length > MOST_KNOWN) list.splice(MOST_KNOWN / 2, 1);
}
