// Simulates the clouds of providers: consent pages, tokens, data with paging and limits, webhooks, and faults on
// demand. Requests and replies are values; the caller provides sockets and clock.

import type { ActiveFault, Fault } from '../domain/sandbox/simulated-faults.ts';
import { createZone } from '../domain/time/day.ts';
import type { RawReply, RawRequest } from '../platform/http/raw-route.ts';
import { createAccountStore, type SimulatedAccount } from './account-store.ts';
import { answerControl } from './control.ts';
import { createDayCache } from './day-cache.ts';
import { clientOf } from './derived-secrets.ts';
import { DIALECTS } from './dialects.gen.ts';
import { createFaultStore } from './fault-store.ts';
import { findChanges } from './find-changes.ts';
import type { RedirectUris } from './oauth/check-authorization.ts';
import type { ClientCredentials } from './oauth/client-authentication.ts';
import { createPushQueue, type SendPush } from './push-queue.ts';
import { replyJson } from './reply-json.ts';
import { openSimulatedProvider, type SimulatedProvider } from './simulated-provider.ts';

export type SimulatorOptions = {
  /** Signs tokens and derives client secrets; tokens stay valid after a restart with the same key. */
  readonly key: Buffer;
  /** The mount URL, without a trailing slash. */
  readonly baseUrl: string;
  /** Exact URLs; `loopback`: any URL on this machine. */
  readonly redirectUris: RedirectUris;
  /** Enables `/_control` and lets the consent page name an account. Never enable it on a public instance. */
  readonly isControllable: boolean;
  /** The time zone of its users. */
  readonly zone?: string;
  /** Sends webhooks and handshakes. Null: no response. */
  readonly send: SendPush;
  /** The webhook URL for providers that configure it in a portal. */
  webhookUrlOf(provider: string): string | null;
  now(): Date;
  wait(ms: number): Promise<void>;
};

export type Simulator = {
  readonly providers: readonly string[];
  /** The client credentials that it accepts. */
  clientOf(provider: string): ClientCredentials;
  /** `request.path` is relative to the mount: `/{provider}` and then the provider's path. */
  answer(request: RawRequest): Promise<RawReply>;
  /** Sends webhooks for changes since the last tick and returns how many were delivered. Call it every few minutes. */
  tick(): Promise<number>;
  addFault(fault: Fault): ActiveFault;
  listFaults(): ActiveFault[];
  removeFault(id: number): boolean;
  /** Accounts with a token that was seen. */
  listAccounts(): { readonly provider: string; readonly account: string }[];
};

const DEFAULT_ZONE = 'Europe/Berlin';
/** Providers answer first and send webhooks afterwards. */
const PUSH_DELAY_MS = 200;

export function createSimulator(options: SimulatorOptions): Simulator {
  const { key, now, wait, send } = options;
  const zoneName = options.zone ?? DEFAULT_ZONE;
  const faults = createFaultStore();
  const accounts = createAccountStore(zoneName);
  const queue = createPushQueue(send, {
    isLate: ({ provider, account }) => faults.active(provider, account ?? '').some(({ kind }) => kind === 'late_push'),
    isDoubled: ({ provider, account }) => faults.take('duplicate_push', { provider, account }) !== null,
  });
  const shared = {
    ...options,
    accounts,
    faults,
    queue,
    cache: createDayCache(),
    canNameAccount: options.isControllable,
  };
  const simulated = new Map<string, SimulatedProvider>(
    DIALECTS.map((dialect) => [dialect.id, openSimulatedProvider(dialect, shared)]),
  );
  const providers = [...simulated.keys()];
  const zone = createZone(zoneName);
  const today = () => zone.dayAt(now().getTime()).date;

  async function tick(): Promise<number> {
    for (const context of simulated.values())
      for (const account of accounts.list(context.dialect.id)) {
        queueWebhooks(context, account);
        await wait(0); // keeps the event loop responsive
      }
    return queue.drain();
  }

  const listAccounts = () => accounts.list().map(({ provider, seed }) => ({ provider, account: seed }));
  const control = { faults, listAccounts, providers, tick };
  async function answer(request: RawRequest): Promise<RawReply> {
    const [, first = '', path = '/'] = /^\/([^/]+)(\/.*)?$/s.exec(request.path) ?? [];
    if (first === '_control' && options.isControllable)
      return answerControl({ ...control, today: today() }, request, path);
    const context = simulated.get(first);
    if (context === undefined)
      return replyJson(404, { error: `Unknown provider. Use one of: ${providers.join(', ')}.` });
    const known = new Set(accounts.list(first));
    const reply = await context.answer(request, path);
    for (const account of accounts.list(first)) if (!known.has(account)) queueWebhooks(context, account);
    if (queue.size > 0) void wait(PUSH_DELAY_MS).then(queue.drain);
    return reply;
  }

  return {
    providers,
    clientOf: (provider) => clientOf(key, provider),
    answer,
    tick,
    addFault: (fault) => faults.add(fault, today()),
    listFaults: faults.list,
    removeFault: faults.remove,
    listAccounts,
  };
}

/** The first comparison sends nothing, because the client reads existing data itself. */
function queueWebhooks({ dialect, context, view, isRevoked }: SimulatedProvider, account: SimulatedAccount): void {
  const { webhooks } = dialect;
  if (webhooks === null) return;
  const seen = view(account);
  if (isRevoked(account)) {
    if (!account.isEndReported) context.queue(webhooks.writeRevoked?.(seen, context) ?? []);
    account.isEndReported = true;
    return;
  }
  account.isEndReported = false;
  const { reported, changes } = findChanges(webhooks, seen, account.reported);
  account.reported = reported;
  if (changes.length > 0) context.queue(webhooks.write(changes, seen, context));
}
