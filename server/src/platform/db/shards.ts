// Finds the shard of a user on a Citus cluster without a query: Citus hashes the user's id as PostgreSQL does, and a shard has a range of hashes.
import type { Queryable } from './queryable.ts';

/** Ascending. A server without shards has one. */
export type Shards = readonly Shard[];
type Shard = { readonly firstHash: number; readonly node: NodeId };
/** The `groupid` of Citus. */
export type NodeId = number;

export const COORDINATOR: NodeId = 0;
const WHOLE: Shards = [{ firstHash: -(2 ** 31), node: COORDINATOR }];

/** Of a distributed table. */
export async function readShards(db: Queryable, table: string): Promise<Shards> {
  const [citus] = await db.query<{ exists: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_shard') is not null as exists`,
  );
  if (!citus?.exists) return WHOLE;
  const shards = await db.query<{ firstHash: number; node: NodeId }>(
    `select s.shardminvalue::integer as "firstHash", p.groupid as node
       from pg_dist_shard s join pg_dist_placement p using (shardid) where s.logicalrelid = $1::regclass order by 1`,
    [table],
  );
  return shards.length === 0 ? WHOLE : shards;
}

export function shardOf(shards: Shards, uuid: string): Shard {
  const [only] = shards;
  if (shards.length === 1 && only) return only;
  const hash = hashUuid(uuid);
  const found = shards.findLast(({ firstHash }) => firstHash <= hash);
  if (found === undefined) throw new Error(`no shard has the hash ${hash}`);
  return found;
}

/** hashuuid() of PostgreSQL: Bob Jenkins' lookup3. */
export function hashUuid(uuid: string): number {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  const seed = (0x9e3779b9 + bytes.length + 3_923_095) | 0;
  let [a, b, c] = [0, 4, 8].map((at) => (seed + bytes.readInt32LE(at)) | 0) as [number, number, number];
  const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by));
  a = ((a - c) ^ rotate(c, 4)) | 0;
  c = (c + b) | 0;
  b = ((b - a) ^ rotate(a, 6)) | 0;
  a = (a + c) | 0;
  c = ((c - b) ^ rotate(b, 8)) | 0;
  b = (b + a) | 0;
  a = ((a - c) ^ rotate(c, 16)) | 0;
  c = (c + b) | 0;
  b = ((b - a) ^ rotate(a, 19)) | 0;
  a = (a + c) | 0;
  c = ((c - b) ^ rotate(b, 4)) | 0;
  b = (b + a) | 0;
  a = (a + bytes.readInt32LE(12)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) | 0;
}
