import type { RawRequest } from '../platform/http/raw-route.ts';

/** Empty if there is none. */
export function readBearer({ headers }: RawRequest): string {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}
