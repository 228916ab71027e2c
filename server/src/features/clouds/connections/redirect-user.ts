// Sends a browser on. 303: what was posted here is never posted there (RFC 9700, 4.12).
import type { RawReply } from '../../../platform/http/raw-route.ts';

export function redirectPerson(location: string, headers: Readonly<Record<string, string>>): RawReply {
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', ...headers },
  };
}
