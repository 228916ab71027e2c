// Connections to the nodes of a Citus cluster that have data. A transaction about users of one node can run there: the node then plans its
// statements, and the coordinator only executes those on its own tables.
import pg from 'pg';
import { isUnavailable } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Database, Queryable } from './database.ts';
import { type DatabaseHost, describeHost, withHost } from './database-url.ts';
import { type NodeId, readShards, type Shards } from './shards.ts';

export type CitusNodes = {
  /** False: the service uses the coordinator alone, or there is no Citus. */
  readonly areUsed: boolean;
  /** Read once, so a shard that is split or moved later is found at the old place. Nothing but the cost of a transaction depends on it. */
  shards(): Promise<Shards>;
  /** Null: use the coordinator, because the node is not known or cannot be used now. Does not wait. */
  find(id: NodeId): Database | null;
  readonly pools: readonly { readonly name: string; pool(): pg.Pool }[];
  close(): Promise<void>;
};

/** By user, and on the coordinator. */
type NodeTables = { readonly distributed: readonly [string, ...string[]]; readonly shared: readonly string[] };

type NodeOptions = {
  /** The coordinator, or a server without Citus. */
  readonly db: Queryable;
  readonly tables: NodeTables;
  readonly hosts: readonly DatabaseHost[];
  /** With the database, user and password that the nodes have too. Null: the database is embedded, so there are no nodes. */
  readonly coordinatorUrl: string | null;
  readonly log: Logger;
  /** How long a node that cannot be used is left alone. */
  readonly checkAgainMs?: number;
  connect(url: string): Database;
};

const CHECK_AGAIN_MS = 1_000;

const INSUFFICIENT_PRIVILEGE = '42501';

const DESCRIBE_NODE = `select (select groupid from pg_dist_local_group) as id, pg_is_in_recovery() as "isStandby",
  extract(epoch from pg_postmaster_start_time())::text as "startedAt",
  (select bool_and(has_table_privilege(name, kind)) from unnest($1::text[]) name, unnest(array['select', 'insert', 'update', 'delete']) kind) as "hasRights"`;
/** When the server started that the coordinator uses for the node. */
const ASK_COORDINATOR = `select r.result as "startedAt" from pg_dist_node n cross join lateral
  master_run_on_worker(array[n.nodename], array[n.nodeport], array['select extract(epoch from pg_postmaster_start_time())::text'], false) r
  where n.groupid = $1 and n.noderole = 'primary' and r.success`;

/**
 * Throws if the server cannot be used, with the reason. A server of another cluster, or one that was replaced by its standby, would accept uploads that
 * nobody finds, so it has to be the one that the coordinator uses.
 */
export async function identifyNode(coordinator: Queryable, node: Queryable, tables: NodeTables): Promise<NodeId> {
  const [found] = await node.query<{ id: NodeId; isStandby: boolean; startedAt: string; hasRights: boolean }>(
    DESCRIBE_NODE,
    [[...tables.distributed, ...tables.shared]],
  );
  if (found === undefined) throw new Error('it is not a node of a Citus cluster');
  if (found.isStandby) throw new Error('it is a standby');
  if (!found.hasRights) throw new Error('the role of the service may not change its tables');
  await node.query(`select 1 from ${tables.shared[0]} limit 1`); // proves that it reaches the coordinator
  const used = await coordinator.query<{ startedAt: string }>(ASK_COORDINATOR, [found.id]);
  if (used[0]?.startedAt !== found.startedAt) throw new Error('the coordinator uses another server for this node');
  return found.id;
}

export function createCitusNodes(options: NodeOptions): CitusNodes {
  const { coordinatorUrl } = options;
  const hosts = coordinatorUrl === null ? [] : options.hosts;
  const nodes = hosts.map((host) => new Node(host, withHost(coordinatorUrl ?? '', host), options));
  let shards: Promise<Shards> | null = null;
  return {
    areUsed: nodes.length > 0,
    shards() {
      shards ??= readShards(options.db, options.tables.distributed[0]).catch((error: unknown) => {
        shards = null;
        throw error;
      });
      return shards;
    },
    find: (id) => nodes.find((node) => node.use() === id)?.db ?? null,
    pools: nodes.map(({ name, db }) => ({ name, pool: db.pool })),
    close: async () => void (await Promise.all(nodes.map(({ db }) => db.close()))),
  };
}

class Node {
  readonly name: string;
  readonly db: Database;
  readonly #options: NodeOptions;
  #id: NodeId | null = null;
  #checkAtMs = 0;
  #isReported = false;

  constructor(host: DatabaseHost, url: string, options: NodeOptions) {
    this.name = describeHost(host);
    this.#options = options;
    const db = options.connect(url);
    this.db = { ...db, transaction: (work) => this.#leaveIfLost(db.transaction(work)) };
  }

  /** Null: it cannot be used now. It is then asked again from time to time. */
  use(): NodeId | null {
    if (this.#id === null && performance.now() >= this.#checkAtMs) {
      this.#checkAtMs = Number.POSITIVE_INFINITY; // until the answer
      void this.#check();
    }
    return this.#id;
  }

  async #check(): Promise<void> {
    try {
      this.#join(await identifyNode(this.#options.db, this.db, this.#options.tables));
    } catch (error) {
      this.#leave(error);
    }
  }

  #join(id: NodeId): void {
    this.#id = id;
    this.#isReported = false;
    this.#options.log.info({ node: this.name }, 'uploads of users on this Citus node use it directly');
  }

  #leave(reason: unknown): void {
    this.#id = null;
    this.#checkAtMs = performance.now() + (this.#options.checkAgainMs ?? CHECK_AGAIN_MS);
    const err = isUnavailable(reason) ? reason.cause : reason;
    if (!this.#isReported) this.#options.log.warn({ node: this.name, err }, 'a Citus node cannot be used directly');
    this.#isReported = true;
  }

  /** The next groups use the coordinator, also if it is the node that cannot reach it. */
  async #leaveIfLost<Result>(result: Promise<Result>): Promise<Result> {
    try {
      return await result;
    } catch (error) {
      const isForbidden = error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE;
      if (isUnavailable(error) || isForbidden) this.#leave(error);
      throw error;
    }
  }
}
