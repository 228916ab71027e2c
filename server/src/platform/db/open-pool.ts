// One pool of connections to the database, with the limits of its sessions.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../log.ts';
import { type Backends, createAskHost, type DriverClient } from './ask-host.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { createHostFinder } from './find-host.ts';
import { createClientClass } from './pool-client.ts';
import { createSilenceWatch, type ListBackends, type SilenceWatch } from './silence-watch.ts';

export type ConnectionTarget =
  | { readonly url: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

type PoolOptions = {
  readonly maxConnections: number;
  readonly log: Logger;
  readonly timeouts: DatabaseTimeouts;
  readonly hasNoStatementTimeout: boolean;
};

export type DatabaseTimeouts = {
  /** For a new connection, and for a free one of a full pool. */
  readonly connectMs: number;
  readonly statementMs: number;
  /** Without an answer for this long, ask the server whether the backend still runs. */
  readonly silentMs: number;
  /** For the answer to that question, and for each host during a search. */
  readonly checkMs: number;
  /** For a statement whose server runs but does not end it. */
  readonly answerMs: number;
};

export type OpenPool = {
  readonly pool: pg.Pool;
  readonly watch: SilenceWatch;
  /** Connections whose commit waits for a standby and whose caller no longer waits, with that commit. */
  readonly held: Map<pg.PoolClient, Promise<unknown>>;
  /** Null until the first transaction. */
  isOnCitus: boolean | null;
  /** A statement failed because its server is read-only: search for another host. */
  onReadOnly(client: pg.PoolClient): void;
  end(): Promise<void>;
};

const GOODBYE_LIMIT_MS = 1_000; // an unreachable server does not confirm the end
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000; // a hung process must not hold locks forever
/**
 * On Citus, one connection from the coordinator to each node: a transaction is then prepared once per node, not once per connection. A
 * server without Citus keeps the value and ignores it.
 */
const CITUS_CONNECTIONS = 1;

export function openPool(target: ConnectionTarget, options: PoolOptions): OpenPool {
  const { timeouts, log, hasNoStatementTimeout } = options;
  const { driverUrl, hosts, isWritable } = 'url' in target ? parseDatabaseUrl(target.url) : EMBEDDED;
  const config: pg.ClientConfig = {
    ...('url' in target ? { connectionString: driverUrl } : target),
    connectionTimeoutMillis: timeouts.connectMs,
    application_name: 'tributary',
    keepAlive: true,
  };
  const { requireWritable, listBackends } = createAskHost(config, timeouts.checkMs);
  const tryHost = isWritable
    ? requireWritable
    : async (host: (typeof hosts)[number]) => void (await listBackends(host));
  const finder = createHostFinder(hosts, tryHost, (host) => watch.keepOnly(host));
  const watch = createSilenceWatch({
    ...timeouts,
    ...(hasNoStatementTimeout && { answerMs: Number.POSITIVE_INFINITY }),
    commitMs: timeouts.statementMs,
    listBackends: shareAnswers((client) => listBackends(hosts.length === 0 ? null : client)),
    onLost(client) {
      log.warn({ host: client.host, port: client.port }, 'the database does not answer; ended its connections');
      finder.doubt(client);
    },
  });
  const sessionSettings = [
    `set idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_TIMEOUT_MS}`,
    `set citus.max_adaptive_executor_pool_size = ${CITUS_CONNECTIONS}`,
    ...(hasNoStatementTimeout ? [] : [`set statement_timeout = ${timeouts.statementMs}`]),
  ].join('; ');
  const Client = createClientClass({ hosts: finder, isWritable, sessionSettings, log, observe: watch.observe });
  const pool = new pg.Pool({ ...config, max: options.maxConnections, idleTimeoutMillis: 30_000, Client });
  // The pool drops a broken idle connection; without a listener the error would end the process. Log only the reason, because
  // the driver attaches the whole client to the error.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'lost an idle database connection'));
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => void open.add(client));
  pool.on('remove', (client) => void open.delete(client));
  return {
    pool,
    watch,
    held: new Map(),
    isOnCitus: null,
    onReadOnly(client) {
      finder.doubt(client as unknown as DriverClient);
      void finder.find().catch(() => undefined); // the next statement reports it again
    },
    end: () => endPool(pool, open, watch),
  };
}

const EMBEDDED = { driverUrl: '', hosts: [], isWritable: false };

/** Connections to the same host share an answer that is on its way. */
function shareAnswers(ask: (client: DriverClient) => Promise<Backends | null>): ListBackends {
  const asked = new Map<string, ReturnType<ListBackends>>();
  return (client) => {
    const key = `${client.host} ${client.port}`;
    return asked.getOrInsertComputed(key, async () => {
      const askedMs = performance.now();
      try {
        return { backends: await ask(client), askedMs };
      } finally {
        asked.delete(key);
      }
    });
  };
}

/** The driver's end() does not wait until the connection is closed, and stopping the server next would log errors. */
async function endPool(pool: pg.Pool, open: ReadonlySet<pg.PoolClient>, watch: SilenceWatch): Promise<void> {
  watch.stopHolding();
  await pool.end();
  const { promise: allClosed, resolve } = Promise.withResolvers<void>();
  pool.on('remove', () => open.size === 0 && resolve());
  if (open.size > 0) await Promise.race([allClosed, delay(GOODBYE_LIMIT_MS, undefined, { ref: false })]);
}
