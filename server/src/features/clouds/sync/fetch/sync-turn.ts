// What a device's turn works with, and what can come of a question to its provider.
import type { Services } from '../../../../platform/services.ts';
import type { CloudProvider, ProviderFailure, ProviderRequest, Resource } from '../../../../providers/contract.ts';
import { askProvider, type OpenAccount, openAccount, type ProviderReply } from '../../provider-accounts/index.ts';
import type { ProviderApp } from '../../provider-apps/index.ts';
import type { SyncedDevice, Urgency } from '../errand.ts';

export type SyncTurn = {
  readonly services: Services;
  readonly app: ProviderApp;
  readonly device: SyncedDevice;
  /** The person's. */
  readonly zone: string | null;
  /** For requests that follow each other within seconds: opened once, until the provider does not take its token. */
  readonly opened?: { account: OpenAccount | null };
};

/** For providers that tell local times without an offset. */
export function zoneOf({ zone }: Pick<SyncTurn, 'zone'>): string {
  return zone ?? 'UTC';
}

/** Why an errand is not done. */
export type Trouble =
  /** No budget, or somebody else is about to refresh the token. `onlyFrom`: for errands of this urgency and those that can wait longer. */
  | { readonly trouble: 'wait'; readonly until: Date | null; readonly onlyFrom?: Urgency }
  | { readonly trouble: 'unavailable' }
  /** By a token that is fresh. */
  | { readonly trouble: 'unauthorized' }
  | { readonly trouble: 'forbidden'; readonly resource: string }
  | { readonly trouble: 'wrong'; readonly reason: string }
  /** For good: only the person can help. */
  | { readonly trouble: 'refused'; readonly tokenTurn: number }
  | { readonly trouble: 'gone' };

/** What can wait leaves some of every budget to what cannot: notices, polls, history. */
const SHARES: Readonly<Record<Urgency, number>> = { 0: 1, 1: 0.9, 2: 0.7 };

type Judging = Partial<Pick<Resource, 'readFailure' | 'isEmpty'>>;
export type Question = {
  readonly request: (account: OpenAccount) => ProviderRequest;
  readonly urgency: Urgency;
  readonly judging: Judging;
};
export type Answered = { readonly reply: ProviderReply; readonly account: OpenAccount };

/** In the person's name, with a token that is good. One that is refused is refreshed once. */
export async function ask(turn: SyncTurn, resource: string, question: Question): Promise<Answered | Trouble> {
  const first = await askOnce(turn, question, null);
  if (!('failure' in first)) return first;
  const second = first.failure === 'unauthorized' ? await askOnce(turn, question, first.account.tokenTurn) : first;
  return 'failure' in second ? toTrouble(second.failure, second.status, resource) : second;
}

type Failed = { readonly failure: ProviderFailure; readonly status: number | null; readonly account: OpenAccount };

async function askOnce(
  turn: SyncTurn,
  { request, urgency, judging }: Question,
  refusedTurn: number | null,
): Promise<Answered | Trouble | Failed> {
  const { services, app, opened } = turn;
  const known = refusedTurn === null ? opened?.account : null;
  const account = known ?? (await openForTurn(turn, refusedTurn));
  if (isTrouble(account)) return account;
  if (opened !== undefined) opened.account = account;
  const asked = await askProvider(services, app, {
    request: request(account),
    person: account,
    share: SHARES[urgency],
    readFailure: judging.readFailure ?? null,
    ...(judging.isEmpty && { isGood: judging.isEmpty }),
  });
  if ('waitUntil' in asked)
    return { trouble: 'wait', until: asked.waitUntil, ...(asked.isShare && { onlyFrom: urgency }) };
  if ('failure' in asked) return { ...asked, account };
  return { reply: asked.reply, account };
}

/** `refusedTurn`: of a pair that is not to be used any more. */
export async function openForTurn(
  { services, app, device }: Pick<SyncTurn, 'services' | 'app' | 'device'>,
  refusedTurn: number | null,
): Promise<OpenAccount | Trouble> {
  const opened = await openAccount(services, app, device, refusedTurn);
  if ('account' in opened) return opened.account;
  if ('gone' in opened) return { trouble: 'gone' };
  if ('refused' in opened) return { trouble: 'refused', tokenTurn: opened.tokenTurn };
  return 'waitUntil' in opened ? { trouble: 'wait', until: opened.waitUntil } : { trouble: 'unavailable' };
}

function toTrouble(failure: ProviderFailure, status: number | null, resource: string): Trouble {
  switch (failure) {
    case 'unauthorized':
      return { trouble: 'unauthorized' };
    case 'forbidden':
      return { trouble: 'forbidden', resource };
    case 'bad_request':
      return { trouble: 'wrong', reason: `status ${status}` };
    default:
      return { trouble: 'unavailable' };
  }
}

export function isTrouble(result: object): result is Trouble {
  return 'trouble' in result;
}

export function findResource({ resources }: CloudProvider, name: string): Resource | null {
  return resources.find((resource) => resource.name === name) ?? null;
}
