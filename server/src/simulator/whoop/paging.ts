// A page, newest first. The token of the next one contains the end of this one, so that new records do not shift pages.
import type { RawReply } from '../../platform/http/raw-route.ts';
import { nameHex } from '../names.ts';
import { replyJson } from '../reply-json.ts';
import type { WhoopRecord } from './record.ts';
import { refuseRequest } from './refuse.ts';

const DEFAULT_LIMIT = '10';
const MAX_LIMIT = 25;

export function replyPage(
  records: readonly WhoopRecord[],
  ask: { readonly query: readonly string[]; readonly limit: string | null; readonly token: string | null },
): RawReply {
  const limit = Number(ask.limit ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) return refuseRequest(`limit: 1 to ${MAX_LIMIT}`);
  const mark = nameHex(16, ...ask.query);
  const before = ask.token === null ? Number.POSITIVE_INFINITY : readToken(ask.token, mark);
  if (before === null) return refuseRequest('nextToken is not valid');
  const left = records.filter(({ startMs }) => startMs < before).toSorted((a, b) => b.startMs - a.startMs);
  const page = left.slice(0, limit);
  const last = page.at(-1);
  const next = left.length > page.length && last !== undefined ? `${mark}:${last.startMs}` : null;
  return replyJson(200, {
    records: page.map(({ body }) => body),
    next_token: next === null ? null : Buffer.from(next).toString('base64url'),
  });
}

function readToken(token: string, mark: string): number | null {
  const [, sent, before] = /^([0-9a-f]+):(\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  return sent === mark ? Number(before) : null;
}
