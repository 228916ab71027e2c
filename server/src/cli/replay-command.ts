// tributary replay: kept raw payloads through the present mapping again.
import { setTimeout as delay } from 'node:timers/promises';
import { callOperator } from './operator-client.ts';
import { CommandError, printJson, type Terminal } from './terminal.ts';

export type ReplayOptions = {
  user?: string;
  account?: string;
  environment?: string;
  all?: boolean;
  wait?: boolean;
  json?: boolean;
};

const LOOK_AGAIN_MS = 500;

export async function replay(terminal: Terminal, options: ReplayOptions): Promise<void> {
  const whose = readChoice(options);
  let users = 0;
  let next: string | null = null;
  do {
    const page: { users: number; next: string | null } = await callOperator(terminal, 'POST', '/admin/replays', {
      ...whose,
      after: next,
    });
    users += page.users;
    next = page.next;
  } while (next !== null);
  if (!options.json) terminal.stdout(describeQueued(users, options.wait ?? false));
  const givenUp = options.wait && users > 0 ? await waitForAll(terminal) : null;
  if (options.json) printJson(terminal, { queued_users: users, ...(options.wait && { given_up: givenUp ?? 0 }) });
  else if (givenUp === 0) terminal.stdout('Done.\n');
  else if (givenUp !== null)
    terminal.stdout(`Done, but for ${givenUp} that were given up: the log of the service says why.\n`);
}

function readChoice({ user, account, environment, all }: ReplayOptions): object {
  const isTenant = account !== undefined || environment !== undefined;
  if ([user !== undefined, isTenant, all === true].filter(Boolean).length !== 1)
    throw new CommandError('Say whose: --user ID, or --account NAME --environment live|sandbox, or --all.');
  if (user !== undefined) return { user_id: user };
  if (all) return { all };
  if (account === undefined || environment === undefined)
    throw new CommandError('--account and --environment go together.');
  return { account, environment };
}

function describeQueued(users: number, isWaiting: boolean): string {
  if (users === 0) return 'Nobody has raw payloads that are still kept: nothing to replay.\n';
  const hint = isWaiting ? '' : ' It runs beside the other work; "--wait" waits for it.';
  return `Queued the replay of ${users} ${users === 1 ? 'user' : 'users'}.${hint}\n`;
}

/** All replays, also those that others have queued; returns how many were given up. */
async function waitForAll(terminal: Terminal): Promise<number> {
  for (;;) {
    const { open, given_up } = await callOperator<{ open: number; given_up: number }>(
      terminal,
      'GET',
      '/admin/replays',
    );
    if (open === 0) return given_up;
    await delay(LOOK_AGAIN_MS);
  }
}
