// What can be known about a process from its number alone, so that nothing is ever signalled because of a reused number.

import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const ON_LINUX = process.platform === 'linux';

/** A name for one run of one process: number, start time and boot, so a reused number differs. Null when it is gone. */
export async function readProcessIdentity(pid: number): Promise<string | null> {
  if (!ON_LINUX) return readPs(pid, 'lstart=');
  const facts = await readLinuxStat(pid);
  if (!facts || facts.state === 'Z') return null;
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return `${bootId.trim()}:${pid}:${facts.startTicks}`;
}

/**
 * 'other' holds the number but is no server of this cluster: a stranger, or one that is dead and not yet reaped.
 * 'unsure' is a PostgreSQL whose folder cannot be told: it must be neither signalled nor ignored.
 */
export type PostmasterVerdict = 'ours' | 'other' | 'gone' | 'unsure';

export async function judgePostmaster(pid: number, clusterDir: string): Promise<PostmasterVerdict> {
  if (!ON_LINUX) {
    const command = await readPs(pid, 'command=');
    if (command === null) return 'gone';
    return command.includes(`/postgres -D ${clusterDir} -k `) ? 'ours' : 'other';
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  if (commandLine === null) return 'gone';
  const [program = '', ...rest] = commandLine.split('\0');
  // A postmaster keeps its command line; its children call themselves 'postgres: checkpointer' and so on.
  if (basename(program) !== 'postgres') return 'other';
  // The working folder follows a rename of the data folder; the command line is the second best,
  // for containers where even root may not look into other users' processes.
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
  // The program's name, in brackets, may itself hold spaces and brackets. Behind it, 0 is the state and 19 the start.
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
