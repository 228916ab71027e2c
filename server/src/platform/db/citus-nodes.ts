// Connections to the nodes of a Citus cluster that have data. A transaction about users of one node can run there: the node then plans its
// statements, and the coordinator only executes those on its own tables.
import type pg from 'pg';
import { isUnavailable } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Database, Queryable } from './database.ts';
import { isStatementFailure } from './database-errors.ts';
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

type NodeOptions = {
  /** The coordinator, or a server without Citus. */
  readonly db: Queryable;
  readonly distributedTable: string;
  readonly hosts: readonly DatabaseHost[];
  /** With the database, user and password that the nodes have too. Null: the database is embedded, so there are no nodes. */
  readonly coordinatorUrl: string | null;
  /** On the coordinator. The nodes must know them. */
  readonly sharedTables: readonly string[];
  readonly log: Logger;
  /** How long a node that cannot be used is left alone. */
  readonly checkAgainMs?: number;
  connect(url: string): Database;
};

const CHECK_AGAIN_MS = 1_000;

/** A standby, a host of another cluster, or one where the service may not change the tables cannot be used. */
const CHECK = `select (select groupid from pg_dist_local_group) as id, pg_is_in_recovery() as "isStandby",
  (select bool_and(has_table_privilege(name, 'insert') and has_table_privilege(name, 'update')) from unnest($1::text[]) name) as "mayWrite"`;

/** Throws if it cannot be used, with the reason. */
export async function identifyNode(db: Queryable, sharedTables: readonly string[]): Promise<NodeId> {
  const [row] = await db.query<{ id: NodeId; isStandby: boolean; mayWrite: boolean }>(CHECK, [sharedTables]);
  if (row === undefined) throw new Error('it is no node of a Citus cluster');
  if (row.isStandby) throw new Error('it is a standby');
  if (!row.mayWrite) throw new Error('the role of the service may not write its tables');
  return row.id;
}

export function createCitusNodes(options: NodeOptions): CitusNodes {
  const { coordinatorUrl } = options;
  const hosts = coordinatorUrl === null ? [] : options.hosts;
  const nodes = hosts.map((host) => new Node(host, withHost(coordinatorUrl ?? '', host), options));
  let shards: Promise<Shards> | null = null;
  return {
    areUsed: nodes.length > 0,
    shards() {
      shards ??= readShards(options.db, options.distributedTable).catch((error: unknown) => {
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
      this.#join(await identifyNode(this.db, this.#options.sharedTables));
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

  /** Whoever comes next uses the coordinator. */
  async #leaveIfLost<Result>(result: Promise<Result>): Promise<Result> {
    try {
      return await result;
    } catch (error) {
      if (isUnavailable(error) && !isStatementFailure(error)) this.#leave(error);
      throw error;
    }
  }
}
