// Opaque, signed list positions, bound to the list they were made for. Not secret, but not forgeable.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../errors.ts';

/** `scope` names the list: resource, tenant, user, filters. A cursor of another scope is refused. */
export type CursorCodec = {
  encode(scope: string, position: readonly unknown[]): string;
  decode(scope: string, cursor: string): unknown[];
};

const TAG_BYTES = 16;

/** The key is asked for at each use: the database, which keeps it, comes up after the server. */
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
      // Decoding is lenient (foreign characters, spare bits): a cursor is taken only as it was written.
      const isAsWritten = payload.length > 0 && bytes.toString('base64url') === cursor;
      if (!isAsWritten || !timingSafeEqual(bytes.subarray(0, TAG_BYTES), sign(scope, payload)))
        throw new AppError('invalid_cursor');
      return JSON.parse(payload.toString()) as unknown[];
    },
  };
}
