// A page of a list and the token of the next one, which is valid only for the same request.
import type { RawReply } from '../../platform/http/raw-route.ts';
import { nameHex } from '../names.ts';
import { replyJson } from '../reply-json.ts';
import { refuseRequest } from './refuse.ts';

export function replyPage(
  items: readonly unknown[],
  { size, query, token }: { size: number; query: readonly string[]; token: string | null },
): RawReply {
  const mark = nameHex(16, ...query);
  const offset = token === null ? 0 : readOffset(token, mark);
  if (offset === null) return refuseRequest('Invalid next_token.');
  const end = offset + size;
  const next = end < items.length ? Buffer.from(`${mark}:${end}`).toString('base64url') : null;
  return replyJson(200, { data: items.slice(offset, end), next_token: next });
}

function readOffset(token: string, mark: string): number | null {
  const [, sent, offset] = /^([0-9a-f]+):(\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  return sent === mark ? Number(offset) : null;
}
