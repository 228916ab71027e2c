// Compares the connections that the running processes open at most with what the server allows.
import type { Config } from '../config.ts';
import { type PlannedProcess, planConnections, sumConnections } from '../connection-plan.ts';
import { readConnectionPlans } from '../features/operator/service/index.ts';
import type { Queryable } from '../platform/db/database.ts';
import { type ConnectionLimits, readConnectionLimits } from '../platform/db/read-connection-limits.ts';
import type { Finding } from './finding.ts';

const check = 'connections';

export async function checkConnections(db: Queryable, config: Config): Promise<Finding> {
  const [limits, running] = [await readConnectionLimits(db), await readConnectionPlans(db)];
  if (running.length > 0) return compareConnections(limits, running, { isEmbedded: config.databaseUrl === null });
  return compareConnections(limits, [{ role: 'all', connections: planConnections(config, 'all').total }], {
    isPlanned: true,
  });
}

/** `isPlanned`: no process runs yet. */
export function compareConnections(
  limits: ConnectionLimits,
  processes: readonly PlannedProcess[],
  { isPlanned = false, isEmbedded = false } = {},
): Finding {
  const { running, successor } = sumConnections(processes);
  const planned = running + successor;
  const needed = planned + limits.others;
  const who = isPlanned
    ? 'a process with these settings opens'
    : processes.length === 1
      ? '1 running process opens'
      : `${processes.length} running processes open`;
  const more = successor === 0 ? '' : ` ${successor} more during a rolling restart,`;
  const found = `${who} up to ${running},${more} other sessions use ${limits.others}; the ${limits.by} allows ${limits.allowed}`;
  if (needed <= limits.allowed) return { check, ok: true, found };
  const raise = {
    server: `raise max_connections to at least ${limits.reserved + needed} (needs a restart of PostgreSQL)`,
    role: `run: alter role ${limits.role} connection limit ${planned}`,
    database: `run: alter database ${limits.database} connection limit ${needed}`,
  }[limits.by];
  const fix = isEmbedded
    ? 'Restart the service (not with SIGHUP): each start sizes the embedded PostgreSQL for its processes. Or end other sessions.'
    : `Lower TRIBUTARY_READ_CONNECTIONS, TRIBUTARY_WRITE_CONNECTIONS or TRIBUTARY_WORKER_CONNECTIONS, or ${raise}.`;
  return { check, ok: true, isWarning: true, found, fix };
}
