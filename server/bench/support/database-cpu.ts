// The CPU time of the database server and all its processes, including ended ones.
import { readdir, readFile } from 'node:fs/promises';
import type { Database } from '../../src/platform/db/database.ts';

/** The value on every common Linux. */
const TICKS_A_SECOND = 100;

/** Null on machines without /proc. */
export async function readDatabaseCpuMs(db: Pick<Database, 'query'>): Promise<number | null> {
  const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
  const backend = row === undefined ? null : await readStat(String(row.pid));
  if (backend === null) return null;
  const stats = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(readStat));
  let ticks = 0;
  for (const stat of stats) {
    if (stat?.pid === backend.parent) ticks += stat.own + stat.ofEnded;
    else if (stat?.parent === backend.parent) ticks += stat.own;
  }
  return (ticks * 1_000) / TICKS_A_SECOND;
}

/** Of one process. 0 on machines without /proc. */
export async function readProcessCpuMs(pid: number): Promise<number> {
  const stat = await readStat(String(pid));
  return ((stat?.own ?? 0) * 1_000) / TICKS_A_SECOND;
}

type ProcessStat = { readonly pid: number; readonly parent: number; readonly own: number; readonly ofEnded: number };

/** proc(5): the name is in parentheses and may contain any character, so fields are counted after it. */
async function readStat(pid: string): Promise<ProcessStat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return { pid: Number(pid), parent, own: user + system, ofEnded: endedUser + endedSystem };
}
