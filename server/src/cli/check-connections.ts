// Compares the connections that the running processes open at most with what the server allows.
import type { Config } from '../config.ts';
import { planConnections } from '../connection-plan.ts';
import { readConnectionPlans } from '../features/operator/service/index.ts';
import type { Queryable } from '../platform/db/database.ts';
import { type ConnectionLimits, readConnectionLimits } from '../platform/db/read-connection-limits.ts';
import type { Finding } from './finding.ts';

const check = 'connections';

export async function checkConnections(db: Queryable, config: Config): Promise<Finding> {
  const [limits, plans] = [await readConnectionLimits(db), await readConnectionPlans(db)];
  return compareConnections(limits, plans.length === 0 ? [planConnections(config, 'all').total] : plans, plans.length);
}

/** `plans` has an entry per process; `running` is 0 if it is about a process that does not run yet. */
export function compareConnections(
  limits: ConnectionLimits,
  plans: readonly number[],
  running = plans.length,
): Finding {
  const planned = plans.reduce((sum, plan) => sum + plan, 0);
  const needed = planned + limits.others;
  const who =
    running === 0
      ? 'a process with these settings opens'
      : running === 1
        ? '1 running process opens'
        : `${running} running processes open`;
  const found = `${who} up to ${planned}, other sessions use ${limits.others}; the ${limits.by} allows ${limits.allowed}`;
  if (needed <= limits.allowed) return { check, ok: true, found };
  const raise = {
    server: `raise max_connections to at least ${limits.reserved + needed} (needs a restart of PostgreSQL)`,
    role: `run: alter role ${limits.role} connection limit ${planned}`,
    database: `run: alter database ${limits.database} connection limit ${needed}`,
  }[limits.by];
  const fix = `Lower TRIBUTARY_READ_CONNECTIONS, TRIBUTARY_WRITE_CONNECTIONS or TRIBUTARY_WORKER_CONNECTIONS, or ${raise}.`;
  return { check, ok: true, isWarning: true, found, fix };
}
