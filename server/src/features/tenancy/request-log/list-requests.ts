// Lists calls of the log. Blocks are read in growing portions until the page is full or none is left, so that a filter that
// matches few calls finds all of them.
import type { Tenant } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import type { Pace } from '../../../platform/http/prepared-json.ts';
import type { Services } from '../../../platform/services.ts';
import type { LoggedRequest } from './logged-request.ts';
import { findCalls, type PlacedCall, type RequestFilter, type StoredRequestBlock } from './request-filter.ts';
import { listBlocks, MAX_BLOCKS, readReferences } from './store.ts';

export type RequestEntry = Pick<
  LoggedRequest,
  'id' | 'method' | 'route' | 'path' | 'status' | 'error' | 'ms' | 'bytes' | 'agent'
> & {
  readonly seq: number;
  readonly at: Date;
  readonly credentialKind: LoggedRequest['credential_kind'];
  readonly credentialId: string;
  readonly userId: string | null;
  readonly referenceId: string | null;
};

const MAX_CALLS = 2_000; // of a portion: read and filtered within milliseconds, in which no other request is served

/** For calls of members: a text that nothing contains is searched in the whole log, which takes seconds. Not within a share of the same account. */
export function paceOfAccount({ shares }: Pick<Services, 'shares'>, { accountId }: Tenant): Pace {
  const { large_read: share } = shares;
  let hasBegun = false;
  return (portion) => {
    const run = hasBegun ? share.resume : share.run;
    hasBegun = true;
    return run(accountId, portion);
  };
}

/** `pace`: of the portions. Without it the filter must be one that matches most calls. */
export async function listRequests(
  db: Queryable,
  tenant: Tenant,
  filter: RequestFilter,
  pace: Pace = (portion) => portion(),
): Promise<RequestEntry[]> {
  const calls = await listCalls(db, tenant, filter, pace);
  const userIds = new Set(calls.flatMap(({ user_id }) => user_id ?? []));
  const references = await readReferences(db, tenant, [...userIds]);
  return calls.map(({ at, credential_kind, credential_id, user_id, ...call }) => ({
    ...call,
    at: new Date(at),
    credentialKind: credential_kind,
    credentialId: credential_id,
    userId: user_id,
    referenceId: user_id === null ? null : (references.get(user_id) ?? null),
  }));
}

async function listCalls(db: Queryable, tenant: Tenant, filter: RequestFilter, pace: Pace): Promise<PlacedCall[]> {
  const found: PlacedCall[] = [];
  const yieldIfDue = createYielder();
  let { before = null, after = null } = filter;
  /** False: no calls are left, or enough are found. */
  const readPortion = async (limit: number): Promise<boolean> => {
    const blocks = await listBlocks(db, tenant, { ...filter, before, after, limit });
    let size = 0;
    for (const block of blocks) {
      await yieldIfDue();
      const calls = findCalls(block, { ...filter, before, after });
      found.push(...(filter.after == null ? calls.reverse() : calls));
      if (found.length >= filter.limit) return false;
      size += block.size;
    }
    const last = blocks.at(-1);
    if (last === undefined || (size < limit && blocks.length < MAX_BLOCKS)) return false;
    if (filter.after == null) before = last.seq;
    else after = last.seq + last.positions - 1;
    return true;
  };
  let limit = Math.min(filter.limit, MAX_CALLS);
  while (await pace(() => readPortion(limit))) limit = Math.min(2 * limit, MAX_CALLS);
  return found.slice(0, filter.limit);
}

const LATENCY_SAMPLE = 500;

/** Of the latest calls; null: there were none. */
export async function readLatency(
  db: Queryable,
  tenant: Tenant,
): Promise<{ readonly p50: number; readonly p95: number } | null> {
  const blocks = await listBlocks(db, tenant, { limit: LATENCY_SAMPLE });
  const latest = blocks.flatMap(listTimes).slice(0, LATENCY_SAMPLE);
  const times = latest.sort((one, other) => one - other);
  const percentile = (share: number) => times[Math.ceil(share * times.length) - 1];
  const [p50, p95] = [percentile(0.5), percentile(0.95)];
  return p50 === undefined || p95 === undefined ? null : { p50, p95 };
}

/** Newest first. Only the times are read, because the home page asks for them often. */
function listTimes({ calls }: StoredRequestBlock): number[] {
  const times = calls.flatMap(({ place, ms }) => place.map((at, index) => ({ at, ms: ms[index] ?? 0 })));
  return times.sort((one, other) => other.at - one.at).map(({ ms }) => ms);
}
