// Stands in for the clouds of providers: consent pages, tokens, data with its paging and limits, notices, and faults on demand.
// Requests and replies are values: whoever mounts it has the sockets and the clock.

import type { Fault, StandingFault } from '../domain/sandbox/simulated-faults.ts';
import { createZone } from '../domain/time/day.ts';
import type { RawReply, RawRequest } from '../platform/http/raw-route.ts';
import { createAccountStore } from './account-store.ts';
import { answerControl } from './control.ts';
import { createDayCache } from './day-cache.ts';
import { clientOf } from './derived-secrets.ts';
import { DIALECTS } from './dialects.ts';
import { createFaultStore } from './fault-store.ts';
import type { RedirectUris } from './oauth/check-authorization.ts';
import type { ClientCredentials } from './oauth/client-authentication.ts';
import { createPushQueue, type SendPush } from './push-queue.ts';
import { replyJson } from './reply-json.ts';
import { openSimulatedProvider, type SimulatedProvider } from './simulated-provider.ts';
import { webhookAccount } from './webhook-account.ts';

export type SimulatorOptions = {
  /** Signs tokens and makes client secrets: with the same one, tokens stay good after a restart. */
  readonly key: Buffer;
  /** Where it is mounted, without a slash at the end. */
  readonly baseUrl: string;
  /** Exact; `loopback`: any on this machine. */
  readonly redirectUris: RedirectUris;
  /** Opens `/_control`, and lets the consent page name an account. Never where strangers come. */
  readonly isControllable: boolean;
  /** Where its people live. */
  readonly zone?: string;
  /** Notices and handshakes. Null: nobody answered. */
  readonly send: SendPush;
  /** Where notices go of providers that have this set up in a portal. */
  webhookUrlOf(provider: string): string | null;
  now(): Date;
  wait(ms: number): Promise<void>;
};

export type Simulator = {
  readonly providers: readonly string[];
  /** What it accepts as the application's. */
  clientOf(provider: string): ClientCredentials;
  /** `request.path` is what follows the mount: `/{provider}` and then the provider's own path. */
  answer(request: RawRequest): Promise<RawReply>;
  /** Tells of what is new since the last one. How many notices were taken. To be called every few minutes. */
  tick(): Promise<number>;
  addFault(fault: Fault): StandingFault;
  listFaults(): StandingFault[];
  removeFault(id: number): boolean;
  /** Whose token was seen. */
  listAccounts(): { readonly provider: string; readonly account: string }[];
};

const DEFAULT_ZONE = 'Europe/Berlin';
/** Providers answer first and send then. */
const PUSH_DELAY_MS = 200;

export function createSimulator(options: SimulatorOptions): Simulator {
  const { key, now, wait, send } = options;
  const zoneName = options.zone ?? DEFAULT_ZONE;
  const faults = createFaultStore();
  const accounts = createAccountStore(zoneName);
  const queue = createPushQueue(send, {
    isLate: ({ provider, account }) =>
      faults.standing(provider, account ?? '').some(({ kind }) => kind === 'late_push'),
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
        webhookAccount(context, account);
        await wait(0); // others want to be answered
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
    if (context === undefined) return replyJson(404, { error: `there is ${providers.join(', ')}` });
    const known = new Set(accounts.list(first));
    const reply = await context.answer(request, path);
    for (const account of accounts.list(first)) if (!known.has(account)) webhookAccount(context, account);
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
