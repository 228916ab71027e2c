// A JSON answer.
import type { RawReply } from '../platform/http/raw-route.ts';

export function replyJson(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): RawReply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
