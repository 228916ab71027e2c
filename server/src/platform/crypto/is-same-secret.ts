// The comparison of a secret, token or signature with one that a client sent.
import { hash, timingSafeEqual } from 'node:crypto';

/**
 * Takes the same time whatever was sent. Both are hashed first, because a comparison of unequal lengths ends early and so
 * reveals the length. An empty secret is never the same: it is one that is not configured.
 */
export function isSameSecret(expected: string | Uint8Array, sent: string | Uint8Array): boolean {
  const isSame = timingSafeEqual(hash('sha256', expected, 'buffer'), hash('sha256', sent, 'buffer'));
  return isSame && expected.length > 0;
}
