// Marks requests of this process to itself, or to another process of its group, with a secret, so that they do not count against the rate limit of
// its address, which other callers may share.

import { randomBytes } from 'node:crypto';
import { isSameSecret } from './crypto/is-same-secret.ts';
import type { Outbound } from './outbound/index.ts';

export type OwnCalls = {
  /** Wraps `outbound` and marks requests to these origins. */
  mark(outbound: Outbound, ownOrigins: ReadonlySet<string>): Outbound;
  isOwn(headers: Readonly<Record<string, string | string[] | undefined>>): boolean;
};

const HEADER = 'x-tributary-own-call';
const SECRET_BYTES = 32;

export function makeOwnCallSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}

export function createOwnCalls(secret: string): OwnCalls {
  return {
    mark(outbound, ownOrigins) {
      const request: Outbound['request'] = (method, url, content = {}) => {
        const isOwn = URL.canParse(url) && ownOrigins.has(new URL(url).origin);
        const headers = isOwn ? { ...content.headers, [HEADER]: secret } : content.headers;
        return outbound.request(method, url, headers === undefined ? content : { ...content, headers });
      };
      return { ...outbound, request, post: (url, content) => request('POST', url, content) };
    },
    isOwn({ [HEADER]: sent }) {
      return typeof sent === 'string' && isSameSecret(secret, sent);
    },
  };
}
