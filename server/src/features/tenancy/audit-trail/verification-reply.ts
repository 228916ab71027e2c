// A verification as the operator API and the command line show it.
import type { Static } from 'typebox';
import { nullable, timestamp } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Link } from './trail-entry.ts';
import type { Verification } from './verify-trail.ts';

/** A part of the trail that one request verifies; takes about two seconds of CPU on a busy machine (docs/benchmarks.md). */
export const PART_ENTRIES = 100_000;

export const verificationReply = Type.Object({
  entries: Type.Integer(),
  since: nullable(timestamp()),
  cut: Type.Integer({ description: 'entries up to this position were removed by the retention' }),
  head: Type.String({ description: 'position and hash of the last intact entry' }),
  broken: nullable(Type.Object({ position: Type.Integer(), reason: Type.String() })),
  has_more: Type.Boolean({ description: 'entries after `head` were not looked at: send it as `after`' }),
});
export type VerificationReply = Static<typeof verificationReply>;

export function presentVerification({ head, hasMore, since, ...found }: Verification): VerificationReply {
  return { ...found, since: since?.toISOString() ?? null, head: `${head.position}:${head.hash}`, has_more: hasMore };
}

/** `POSITION:HASH`, as a verification prints its head; null if it is anything else. */
export function parseLink(text: string): Link | null {
  const [, position, hash] = /^(\d{1,15}):([\da-f]{64})$/.exec(text) ?? [];
  return position === undefined || hash === undefined
    ? null
    : { position: Number(position), hash: Buffer.from(hash, 'hex') };
}
