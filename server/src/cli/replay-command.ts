// tributary replay: processes stored raw payloads again with the current mapping.
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
  const failed = options.wait && users > 0 ? await waitForAll(terminal) : null;
  if (options.json) printJson(terminal, { queued_users: users, ...(options.wait && { given_up: failed ?? 0 }) });
  else if (failed === 0) terminal.stdout('Done.\n');
  else if (failed !== null)
    terminal.stdout(`Done, but ${failed} replays failed. Read the log of the service for the cause.\n`);
}

function readChoice({ user, account, environment, all }: ReplayOptions): object {
  const isTenant = account !== undefined || environment !== undefined;
  if ([user !== undefined, isTenant, all === true].filter(Boolean).length !== 1)
    throw new CommandError('Specify --user ID, or --account NAME --environment live|sandbox, or --all.');
  if (user !== undefined) return { user_id: user };
  if (all) return { all };
  if (account === undefined || environment === undefined)
    throw new CommandError('Specify both --account and --environment.');
  return { account, environment };
}

function describeQueued(users: number, isWaiting: boolean): string {
  if (users === 0) return 'Nothing to replay: no raw payloads are stored.\n';
  const hint = isWaiting ? '' : ' It runs in the background; use --wait to wait for it.';
  return `Queued a replay for ${users} ${users === 1 ? 'user' : 'users'}.${hint}\n`;
}

/** Waits for all queued replays, including those of others. Returns how many failed. */
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
