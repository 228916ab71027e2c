// The sentence at the top of the service page: the problem, or that there is none. Pure.
import type { ServiceState } from './queries.ts';
import { words } from './words.ts';

const MIN_FREE_SHARE = 0.1;

type Verdict = { readonly tone: 'good' | 'warn' | 'bad'; readonly text: string };

export function describeService(state: ServiceState): Verdict {
  if (state.readiness.status === 'unavailable') return { tone: 'bad', text: words.unavailable };
  const problems = listProblems(state);
  return problems.length === 0 ? { tone: 'good', text: words.allWell } : { tone: 'warn', text: words.needs(problems) };
}

function listProblems({ processes, stages, jobs_given_up }: ServiceState): string[] {
  const silent = processes.filter(({ is_alive }) => !is_alive).length;
  const hasWorker = processes.some(({ role, is_alive }) => is_alive && role !== 'api');
  const failed = jobs_given_up.reduce((sum, { count }) => sum + count, 0);
  return [
    ...(hasWorker ? [] : [words.noWorker]),
    ...stages.filter(({ is_late }) => is_late).map(words.late),
    ...(failed > 0 ? [words.givenUpProblem(failed)] : []),
    ...(silent > 0 ? [words.silentProblem(silent)] : []),
    ...(isDiskLow(processes) ? [words.diskProblem] : []),
  ];
}

function isDiskLow(processes: ServiceState['processes']): boolean {
  return processes.some(
    ({ disk, is_alive }) => is_alive && disk !== null && disk.free_bytes < disk.total_bytes * MIN_FREE_SHARE,
  );
}

/** The fullest disk of a process that runs. */
export function findDisk({ processes }: Pick<ServiceState, 'processes'>): { free: number; total: number } | null {
  const disks = processes.flatMap(({ disk, is_alive }) =>
    is_alive && disk !== null ? [{ free: disk.free_bytes, total: disk.total_bytes }] : [],
  );
  return disks.toSorted((one, other) => one.free / one.total - other.free / other.total)[0] ?? null;
}
