// Opaque list positions, signed and bound to their list. They are not secret, but cannot be forged.

import { createHmac } from 'node:crypto';
import { isSameSecret } from '../crypto/is-same-secret.ts';
import { AppError } from '../errors.ts';

/** `scope` identifies the list: resource, tenant, user, filters. A cursor of another scope is rejected. */
export type CursorCodec = {
  encode(scope: string, position: readonly unknown[]): string;
  decode(scope: string, cursor: string): unknown[];
};

const TAG_BYTES = 16;

/** Reads the key at each use, because the database that stores it starts after the server. */
export function createCursorCodec(key: () => Buffer): CursorCodec {
  const sign = (scope: string, payload: Buffer) =>
    createHmac('sha256', key()).update(scope).update('\0').update(payload).digest().subarray(0, TAG_BYTES);
  return {
    encode(scope, position) {
      const payload = Buffer.from(JSON.stringify(position));
      return Buffer.concat([sign(scope, payload), payload]).toString('base64url');
    },
    decode(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const payload = bytes.subarray(TAG_BYTES);
      // Decoding ignores foreign characters and spare bits, so only the exact encoding is accepted.
      const isAsWritten = payload.length > 0 && bytes.toString('base64url') === cursor;
      if (!isAsWritten || !isSameSecret(sign(scope, payload), bytes.subarray(0, TAG_BYTES)))
        throw new AppError('invalid_cursor');
      return JSON.parse(payload.toString()) as unknown[];
    },
  };
}
