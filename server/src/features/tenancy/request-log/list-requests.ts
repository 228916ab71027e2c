// Lists calls of the log. Blocks are read in growing portions until the page is full or none is left, so that a filter that
// matches few calls finds all of them.
import type { Tenant } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
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

const MAX_CALLS = 8_000; // of a portion: read and filtered within milliseconds, in which no other request is served

export async function listRequests(db: Queryable, tenant: Tenant, filter: RequestFilter): Promise<RequestEntry[]> {
  const calls = await listCalls(db, tenant, filter);
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

async function listCalls(db: Queryable, tenant: Tenant, filter: RequestFilter): Promise<PlacedCall[]> {
  const isForward = filter.after != null;
  const found: PlacedCall[] = [];
  let { before = null, after = null } = filter;
  for (let limit = Math.min(filter.limit, MAX_CALLS); ; limit = Math.min(2 * limit, MAX_CALLS)) {
    const blocks = await listBlocks(db, tenant, { ...filter, before, after, limit });
    let size = 0;
    for (const block of blocks) {
      const calls = findCalls(block, { ...filter, before, after });
      found.push(...(isForward ? calls : calls.reverse()));
      if (found.length >= filter.limit) return found.slice(0, filter.limit);
      size += block.size;
    }
    const last = blocks.at(-1);
    if (last === undefined || (size < limit && blocks.length < MAX_BLOCKS)) return found;
    if (isForward) after = last.seq + last.positions - 1;
    else before = last.seq;
  }
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
