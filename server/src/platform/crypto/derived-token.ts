// Bearer tokens that contain the ID of a record and its credential version, authenticated by a MAC. The same version always
// gives the same token, so a lost response can be repeated without storing the token.

import { createHmac } from 'node:crypto';
import { decodeBase62, encodeBase62 } from './base62.ts';
import { isSameSecret } from './is-same-secret.ts';

type DerivedToken = { readonly id: string; readonly version: number };
export type DerivedTokens = TokenCodec<DerivedToken>;

/** Also contains the creation time, so that it can expire without being stored. */
type DatedToken = { readonly id: string; readonly version: number; readonly issuedAt: Date };
export type DatedTokens = TokenCodec<DatedToken>;

type TokenCodec<Token> = {
  encode(prefix: string, token: Token): string;
  /** Null: not a token of this deployment. */
  decode(prefix: string, text: string): Token | null;
};

const ID_BYTES = 16;
const NUMBER_BYTES = 4;
const MAC_BYTES = 24; // 192 bits cannot be guessed and are short enough for a header

/** Reads the key at each use, because the database that stores it starts later. */
export function createDerivedTokens(key: () => Buffer): DerivedTokens {
  const codec = createClaimCodec(key, 1);
  return {
    encode: (prefix, { id, version }) => codec.encode(prefix, { id, numbers: [version] }),
    decode(prefix, text) {
      const claim = codec.decode(prefix, text);
      return claim && { id: claim.id, version: claim.numbers[0] as number };
    },
  };
}

/** The time is in whole seconds. */
export function createDatedTokens(key: () => Buffer): DatedTokens {
  const codec = createClaimCodec(key, 2);
  return {
    encode: (prefix, { id, version, issuedAt }) =>
      codec.encode(prefix, { id, numbers: [version, Math.floor(issuedAt.getTime() / 1_000)] }),
    decode(prefix, text) {
      const claim = codec.decode(prefix, text);
      if (!claim) return null;
      const [version, seconds] = claim.numbers as [number, number];
      return { id: claim.id, version, issuedAt: new Date(seconds * 1_000) };
    },
  };
}

type Claim = { readonly id: string; readonly numbers: readonly number[] };

function createClaimCodec(key: () => Buffer, numberCount: number): TokenCodec<Claim> {
  const claimBytes = ID_BYTES + numberCount * NUMBER_BYTES;
  const totalBytes = claimBytes + MAC_BYTES;
  const width = Math.ceil((totalBytes * 8) / Math.log2(62));
  const sign = (prefix: string, claim: Buffer) =>
    createHmac('sha256', key()).update(prefix).update('\0').update(claim).digest().subarray(0, MAC_BYTES);
  return {
    encode(prefix, { id, numbers }) {
      const claim = Buffer.alloc(claimBytes);
      claim.write(id.replaceAll('-', ''), 'hex');
      for (const [index, number] of numbers.entries()) claim.writeUInt32BE(number, ID_BYTES + index * NUMBER_BYTES);
      return prefix + encodeBase62(Buffer.concat([claim, sign(prefix, claim)]), width);
    },
    decode(prefix, text) {
      if (!text.startsWith(prefix) || text.length !== prefix.length + width) return null;
      const bytes = decodeBase62(text.slice(prefix.length), totalBytes);
      if (!bytes) return null;
      const claim = bytes.subarray(0, claimBytes);
      if (!isSameSecret(sign(prefix, claim), bytes.subarray(claimBytes))) return null;
      const hex = claim.toString('hex', 0, ID_BYTES);
      return {
        id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
        numbers: Array.from({ length: numberCount }, (_, index) => claim.readUInt32BE(ID_BYTES + index * NUMBER_BYTES)),
      };
    },
  };
}
