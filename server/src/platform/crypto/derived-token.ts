// Bearer tokens that say which record and which turn of it they belong to, authenticated by a MAC. The same turn always
// gives the same token, so an answer that was lost can be given again without having been stored.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { decodeBase62, encodeBase62 } from './base62.ts';

export type DerivedToken = { readonly id: string; readonly turn: number };
export type DerivedTokens = {
  encode(prefix: string, token: DerivedToken): string;
  /** Null for anything that this deployment did not make. */
  decode(prefix: string, text: string): DerivedToken | null;
};

const ID_BYTES = 16;
const TURN_BYTES = 4;
const MAC_BYTES = 24; // 192 bits: not to be guessed, and short enough for a header
const TOTAL_BYTES = ID_BYTES + TURN_BYTES + MAC_BYTES;
const WIDTH = Math.ceil((TOTAL_BYTES * 8) / Math.log2(62));

/** The key is asked for at each use: tokens are spoken of before the database, which keeps it, is up. */
export function createDerivedTokens(key: () => Buffer): DerivedTokens {
  const sign = (prefix: string, claim: Buffer) =>
    createHmac('sha256', key()).update(prefix).update('\0').update(claim).digest().subarray(0, MAC_BYTES);
  return {
    encode(prefix, { id, turn }) {
      const claim = Buffer.alloc(ID_BYTES + TURN_BYTES);
      claim.write(id.replaceAll('-', ''), 'hex');
      claim.writeUInt32BE(turn, ID_BYTES);
      return prefix + encodeBase62(Buffer.concat([claim, sign(prefix, claim)]), WIDTH);
    },
    decode(prefix, text) {
      if (!text.startsWith(prefix) || text.length !== prefix.length + WIDTH) return null;
      const bytes = decodeBase62(text.slice(prefix.length), TOTAL_BYTES);
      if (!bytes) return null;
      const claim = bytes.subarray(0, ID_BYTES + TURN_BYTES);
      if (!timingSafeEqual(bytes.subarray(ID_BYTES + TURN_BYTES), sign(prefix, claim))) return null;
      const hex = claim.toString('hex', 0, ID_BYTES);
      return {
        id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
        turn: claim.readUInt32BE(ID_BYTES),
      };
    },
  };
}
