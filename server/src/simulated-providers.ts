// The simulated providers of this process, loaded on first use.
import { setTimeout as delay } from 'node:timers/promises';
import type { ProviderClient } from './domain/provider-ids.ts';
import type { ActiveFault, Fault } from './domain/sandbox/simulated-faults.ts';
import type { Clock } from './platform/clock.ts';
import { AppError } from './platform/errors.ts';
import type { RawReply, RawRequest } from './platform/http/raw-exchange.ts';
import { onFirstUse } from './platform/on-first-use.ts';
import type { Outbound } from './platform/outbound/index.ts';
import { CLOUD_PROVIDERS } from './providers/registry.ts';
import { clientOf } from './simulator/derived-secrets.ts';
import { HISTORY_DAYS } from './simulator/history-days.ts';
import type { Simulator } from './simulator/index.ts';
import { type PersonHint, writeHint } from './simulator/signed-claims.ts';

/** Simulates all cloud providers in the sandbox. */
export type SimulatedProviders = {
  /** Days of data of a simulated account, including the day of the connection. */
  readonly historyDays: number;
  clientOf(provider: string): ProviderClient;
  answer(request: RawRequest): Promise<RawReply>;
  /** Makes the account at a provider the same person as the sandbox user; a value for `login_hint`. */
  writeHint(hint: PersonHint): string;
  /** Sends webhooks about new data; returns how many were accepted. */
  tick(): Promise<number>;
  addFault(fault: Fault): Promise<ActiveFault>;
  listFaults(): Promise<ActiveFault[]>;
  /** False: the fault does not exist. */
  removeFault(id: number): Promise<boolean>;
  /** Simulated accounts seen since the start. */
  listAccounts(): Promise<{ readonly provider: string; readonly account: string }[]>;
};

type SimulationOptions = {
  /** False: every call fails with sandbox_disabled. */
  readonly isOn: boolean;
  readonly key: () => Buffer;
  readonly clock: Clock;
  /** Sends requests only to this process. */
  readonly outbound: Outbound;
  readonly pagesUrl: () => string;
  redirectUriOf(provider: (typeof CLOUD_PROVIDERS)[number]): string;
  webhookUrlOf(provider: string): string | null;
};

export function createSimulatedProviders(options: SimulationOptions): SimulatedProviders {
  const simulator = onFirstUse(() => makeSimulator(options));
  if (!options.isOn) return turnedOff(options);
  return {
    historyDays: HISTORY_DAYS + 1,
    clientOf: (provider) => clientOf(options.key(), provider),
    writeHint: (hint) => writeHint(options.key(), hint),
    answer: async (request) => (await simulator.get()).answer(request),
    tick: async () => (await simulator.peek())?.tick() ?? 0, // 0: the simulator was not used yet
    addFault: async (fault) => (await simulator.get()).addFault(fault),
    listFaults: async () => (await simulator.peek())?.listFaults() ?? [],
    removeFault: async (id) => (await simulator.peek())?.removeFault(id) ?? false,
    listAccounts: async () => (await simulator.peek())?.listAccounts() ?? [],
  };
}

function turnedOff({ key }: SimulationOptions): SimulatedProviders {
  const refuse = async () => {
    throw new AppError('sandbox_disabled', {
      message: 'The sandbox environment and the simulator are turned off on this deployment (TRIBUTARY_SANDBOX=off).',
    });
  };
  return {
    historyDays: HISTORY_DAYS + 1,
    clientOf: (provider) => clientOf(key(), provider),
    writeHint: () => '',
    answer: refuse,
    tick: refuse,
    addFault: refuse,
    listFaults: refuse,
    removeFault: refuse,
    listAccounts: refuse,
  };
}

async function makeSimulator(options: SimulationOptions): Promise<Simulator> {
  const { createSimulator } = await import('./simulator/index.ts');
  return createSimulator({
    key: options.key(),
    baseUrl: options.pagesUrl(),
    redirectUris: CLOUD_PROVIDERS.map(options.redirectUriOf),
    isControllable: false,
    webhookUrlOf: options.webhookUrlOf,
    now: () => options.clock.now(),
    wait: (ms) => delay(ms),
    send: async ({ method, url, headers, body }) => {
      const answer = await options.outbound.request(method, url, { headers, ...(method === 'POST' && { body }) });
      return answer.ok ? { status: answer.status, body: answer.body.toString() } : null;
    },
  });
}
