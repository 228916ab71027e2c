// A page and the token of the next one, which is valid only for the same request.
import type { RawReply } from '../../platform/http/raw-route.ts';
import { nameHex } from '../names.ts';
import { replyJson } from '../reply-json.ts';
import { refuseArgument } from './refuse.ts';

const DEFAULT_PAGE = 1_440;
const MAX_PAGE = 10_000;
const SESSION_PAGE = 25;

type PageRequest = {
  readonly query: readonly string[];
  readonly token: string;
  /** As requested; 0: the default. */
  readonly size: number;
  readonly isSession: boolean;
};

export function replyPage<One>(
  list: string,
  items: readonly One[],
  { query, token, size, isSession }: PageRequest,
  present: (item: One) => unknown,
): RawReply {
  if (!Number.isSafeInteger(size) || size < 0) return refuseArgument('Invalid page size.');
  const most = isSession ? SESSION_PAGE : MAX_PAGE;
  const count = Math.min(size === 0 ? (isSession ? SESSION_PAGE : DEFAULT_PAGE) : size, most);
  const mark = nameHex(16, ...query);
  const offset = token === '' ? 0 : readOffset(token, mark);
  if (offset === null) return refuseArgument('Invalid page token.');
  const end = offset + count;
  const next = end < items.length ? Buffer.from(`${mark}:${end}`).toString('base64url') : '';
  return replyJson(200, { [list]: items.slice(offset, end).map(present), nextPageToken: next });
}

function readOffset(token: string, mark: string): number | null {
  const [, sent, offset] = /^([0-9a-f]+):(\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  return sent === mark ? Number(offset) : null;
}
