// All SQL of processes.
import { type Queryable, statement } from '../../../platform/db/database.ts';

export type ProcessFacts = {
  readonly id: string;
  readonly role: 'all' | 'api' | 'worker';
  readonly version: string;
  readonly host: string;
  readonly pid: number;
};
export type Disk = { readonly totalBytes: number; readonly freeBytes: number };
export type SeenProcess = ProcessFacts & {
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** False: it has missed three reports, so it has probably ended. */
  readonly isAlive: boolean;
  readonly disk: Disk | null;
};

const MISSED_AFTER = "interval '35 seconds'";
const FORGOTTEN_AFTER = "interval '1 day'";

const SAVE_PROCESS = statement(
  'save_process',
  `insert into processes as known (id, role, version, host, pid, connections, started_at, seen_at, disk_total_bytes, disk_free_bytes)
   values ($1, $2, $3, $4, $5, $6, now(), now(), $7, $8)
   on conflict (id) do update set seen_at = now(), disk_total_bytes = excluded.disk_total_bytes, disk_free_bytes = excluded.disk_free_bytes`,
);

export async function saveProcess(
  db: Queryable,
  facts: ProcessFacts & { readonly connections: number },
  disk: Disk | null,
): Promise<void> {
  const { id, role, version, host, pid, connections } = facts;
  const sizes = [disk?.totalBytes ?? null, disk?.freeBytes ?? null];
  await db.query(SAVE_PROCESS, [id, role, version, host, pid, connections, ...sizes]);
}

/** The connections that each running process opens at most. Processes of earlier versions do not report them. */
export function readConnectionPlans(
  db: Queryable,
): Promise<(Pick<ProcessFacts, 'role'> & { readonly connections: number })[]> {
  return db.query(
    `select role, connections from processes where connections is not null and seen_at > now() - ${MISSED_AFTER}`,
  );
}

export async function removeProcess(db: Queryable, id: string): Promise<void> {
  await db.query('delete from processes where id = $1', [id]);
}

export async function removeForgottenProcesses(db: Queryable): Promise<void> {
  await db.query(`delete from processes where seen_at < now() - ${FORGOTTEN_AFTER}`);
}

const COUNT_OTHERS = statement(
  'count_other_api_processes',
  `select count(*)::int as count from processes
    where id <> $1 and role in ('all', 'api') and seen_at > now() - ${MISSED_AFTER}`,
);

/** API processes beside this one. A killed one counts until it has missed three reports. */
export async function countOtherApiProcesses(db: Queryable, id: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT_OTHERS, [id]);
  return row?.count ?? 0;
}

export async function listProcesses(db: Queryable): Promise<SeenProcess[]> {
  const rows = await db.query<
    ProcessFacts & {
      startedAt: Date;
      seenAt: Date;
      isAlive: boolean;
      total: string | null;
      free: string | null;
    }
  >(
    `select id, role, version, host, pid, started_at as "startedAt", seen_at as "seenAt",
            seen_at > now() - ${MISSED_AFTER} as "isAlive", disk_total_bytes as total, disk_free_bytes as free
       from processes order by started_at`,
  );
  return rows.map(({ total, free, ...process }) => ({
    ...process,
    disk: total === null || free === null ? null : { totalBytes: Number(total), freeBytes: Number(free) },
  }));
}
