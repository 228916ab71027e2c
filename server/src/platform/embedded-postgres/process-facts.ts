// Identifies a process beyond its PID, so that no other process is signalled because of a reused PID.

import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const ON_LINUX = process.platform === 'linux';

/** Identifies one run of a process by PID, start time and boot. Null: it has ended. */
export async function readProcessIdentity(pid: number): Promise<string | null> {
  if (!ON_LINUX) return readPs(pid, 'lstart=');
  const facts = await readLinuxStat(pid);
  if (!facts || facts.state === 'Z') return null;
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return `${bootId.trim()}:${pid}:${facts.startTicks}`;
}

/**
 * 'other' has the PID but is not a server of this cluster: another program, or a zombie. 'unsure' is a PostgreSQL server whose
 * folder is unknown: it must be neither signalled nor ignored.
 */
type PostmasterVerdict = 'ours' | 'other' | 'gone' | 'unsure';

export async function judgePostmaster(pid: number, clusterDir: string): Promise<PostmasterVerdict> {
  if (!ON_LINUX) {
    const command = await readPs(pid, 'command=');
    if (command === null) return 'gone';
    return command.includes(`/postgres -D ${clusterDir} -k `) ? 'ours' : 'other';
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  if (commandLine === null) return 'gone';
  const [program = '', ...rest] = commandLine.split('\0');
  // A postmaster keeps its command line; its children are named 'postgres: checkpointer' and so on.
  if (basename(program) !== 'postgres') return 'other';
  // The working folder follows a rename of the data folder. The command line is the fallback for containers where even root
  // cannot inspect processes of other users.
  const runsIn = await stat(`/proc/${pid}/cwd`).catch(() => null);
  const startedIn = await stat(rest[rest.indexOf('-D') + 1] ?? '').catch(() => null);
  const folder = runsIn ?? startedIn;
  if (!folder) return 'unsure';
  const cluster = await stat(clusterDir);
  return folder.dev === cluster.dev && folder.ino === cluster.ino ? 'ours' : 'other';
}

async function readLinuxStat(pid: number): Promise<{ state: string; startTicks: string } | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The program name in parentheses can contain spaces and parentheses. After it, field 0 is the state and 19 the start time.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
}

async function readPs(pid: number, column: string): Promise<string | null> {
  try {
    const { stdout } = await runFile('ps', ['-ww', '-o', column, '-p', String(pid)], {
      env: { PATH: '/bin:/usr/bin' },
    });
    return stdout.trim() || null;
  } catch {
    return null;
  }
}
