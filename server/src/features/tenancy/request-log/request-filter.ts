// Finds calls in a block.
import type { LoggedRequest } from './logged-request.ts';
import { type BlockCall, type CallGroup, FIRST_FAILURE, type RequestBlock, readCalls } from './request-block.ts';

export type RequestFilter = {
  /** Entries before this one, newest first. */
  readonly before?: number | null;
  /** Entries after this one, oldest first. */
  readonly after?: number | null;
  readonly id?: string | null;
  readonly outcome?: 'failed' | 'slow' | null;
  readonly statusClass?: StatusClass | null;
  /** Part of the path, the error code or the program. */
  readonly text?: string | null;
  readonly method?: string | null;
  readonly route?: string | null;
  readonly userId?: string | null;
  readonly keyId?: string | null;
  readonly error?: string | null;
  readonly limit: number;
};

const STATUSES = {
  '2xx': (status: number) => status < 300,
  '4xx': (status: number) => status >= FIRST_FAILURE && status < 500,
  '5xx': (status: number) => status >= 500,
} as const;
type StatusClass = keyof typeof STATUSES;

export const SLOW_MS = 500;

export type StoredRequestBlock = Pick<RequestBlock, 'size' | 'users' | 'calls'> & {
  readonly seq: number;
  /** That the block covers: the column `span`. */
  readonly positions: number;
};
export type PlacedCall = BlockCall & { readonly seq: number };

/** In the order of their positions. */
export function findCalls(
  { seq, users, calls }: StoredRequestBlock,
  filter: Omit<RequestFilter, 'limit'>,
): PlacedCall[] {
  const end = filter.before ?? Number.POSITIVE_INFINITY;
  const start = filter.after ?? -1;
  const found: PlacedCall[] = [];
  for (const group of calls) {
    if (!canMatch(group, filter)) continue;
    for (const { place, ...call } of readCalls(users, group)) {
      const position = seq + place;
      if (position > start && position < end && matches(call, filter)) found.push({ ...call, seq: position });
    }
  }
  return found.sort((one, other) => one.seq - other.seq);
}

/** By the fields that the calls of a group have in common. */
function canMatch({ method, route, status, error }: CallGroup, filter: Omit<RequestFilter, 'limit'>): boolean {
  return (
    (filter.outcome !== 'failed' || status >= FIRST_FAILURE) &&
    (filter.statusClass == null || STATUSES[filter.statusClass](status)) &&
    isWanted(filter.method, method) &&
    isWanted(filter.route, route) &&
    isWanted(filter.error, error)
  );
}

function matches(call: BlockCall, filter: Omit<RequestFilter, 'limit'>): boolean {
  return (
    isWanted(filter.id, call.id) &&
    isWanted(filter.userId, call.user_id) &&
    isWanted(filter.keyId, call.credential_id) &&
    (filter.outcome !== 'slow' || call.ms >= SLOW_MS) &&
    (filter.text == null || hasText(call, filter.text))
  );
}

function isWanted(wanted: string | null | undefined, value: string | null): boolean {
  return wanted == null || wanted === value;
}

function hasText({ path, error, agent }: Pick<LoggedRequest, 'path' | 'error' | 'agent'>, text: string): boolean {
  const parts = [path, error, agent].filter((part) => part !== null);
  return parts.join(' ').toLowerCase().includes(text.toLowerCase());
}
