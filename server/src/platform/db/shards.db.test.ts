import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { IS_CITUS, openTestDatabase } from '../../../test/support/test-database.ts';
import { hashUuid, readShards, shardOf } from './shards.ts';

const ids = Array.from({ length: 200 }, () => randomUUID());

describe('shards', () => {
  it('hashes an id as PostgreSQL does', async (t) => {
    const db = await openTestDatabase(t);
    const rows = await db.query<{ hash: number }>(
      'select uuid_hash(id) as hash from unnest($1::uuid[]) with ordinality as asked (id, position) order by position',
      [ids],
    );
    assert.deepEqual(
      ids.map(hashUuid),
      rows.map(({ hash }) => hash),
    );
  });

  it('has one shard without Citus', { skip: IS_CITUS }, async (t) => {
    const shards = await readShards(await openTestDatabase(t), 'uploads');
    assert.deepEqual([...new Set(ids.map((id) => shardOf(shards, id)))], shards);
    assert.equal(shards.length, 1);
  });

  it('finds the shard that Citus uses', { skip: !IS_CITUS }, async (t) => {
    const db = await openTestDatabase(t);
    const shards = await readShards(db, 'uploads');
    const listed = await db.query<{ id: string }>(
      `select shardid::text as id from pg_dist_shard where logicalrelid = 'uploads'::regclass order by shardminvalue::integer`,
    );
    assert.ok(listed.length > 1);
    const rows = await db.query<{ shard: string }>(
      `select get_shard_id_for_distribution_column('uploads', id)::text as shard
         from unnest($1::uuid[]) with ordinality as asked (id, position) order by position`,
      [ids],
    );
    assert.deepEqual(
      ids.map((id) => listed[shards.indexOf(shardOf(shards, id))]?.id),
      rows.map(({ shard }) => shard),
    );
  });
});
