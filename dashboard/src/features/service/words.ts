import { providerName } from '../../shared/user/devices.ts';
import { listWords, number, plural } from '../../shared/words/numbers.ts';
import type { Stage } from './queries.ts';

export const words = {
  title: 'Service',
  note: 'The whole deployment, all accounts together. No health data is shown here.',
  notLoaded: 'The state of the service could not be loaded.',
  operatorsOnly: 'Only operators can see this page',
  operatorsAdvice: 'Operators are named on the command line of the service:',
  allWell: 'Everything runs, and nothing waits longer than usual.',
  unavailable: 'The service is not available: the database does not answer, or its schema is older than the program.',
  needs: (problems: readonly string[]) => `${capitalize(listWords(problems))}.`,
  late: (stage: Stage) => `${uncapitalize(stageName(stage))} ${stage.name === 'sync' ? 'is' : 'are'} late`,
  givenUpProblem: (count: number) => `${plural(count, 'job')} failed permanently`,
  silentProblem: (count: number) => `${plural(count, 'process', 'processes')} stopped reporting`,
  noWorker: 'no process does background work',
  diskProblem: 'less than a tenth of the disk is free',
  states: { ready: 'Ready', degraded: 'Needs attention', unavailable: 'Not available' },
  processes: 'Processes',
  running: 'Processes',
  versions: (versions: readonly string[]) => `version ${listWords(versions)}`,
  database: 'Database',
  postgres: (version: string) => `PostgreSQL ${version}`,
  disk: 'Free disk',
  diskOf: (total: string) => `of ${total}`,
  unknown: 'not known',
  jobsGivenUp: 'Failed jobs',
  none: 'none',
  removedAfter: 'kept for 7 days',
  role: 'Role',
  roles: { all: 'API and worker', api: 'API', worker: 'worker' },
  version: 'Version',
  host: 'Host',
  process: (pid: number) => `process ${pid}`,
  since: 'Running since',
  seen: 'Last report',
  state: 'State',
  alive: 'running',
  silent: 'stopped reporting',
  stages: 'Waiting work',
  stagesNote: 'How data moves through the service. A stage is late when users notice the delay.',
  stage: 'Stage',
  waiting: 'Waiting',
  oldest: 'Oldest',
  nothing: 'nothing waits',
  onTime: 'on time',
  isLate: 'late',
  parked: (count: number) => `${plural(count, 'task')} parked`,
  run: 'Run',
  command: 'the command',
  job: 'Job',
  count: 'Count',
  firstFailed: 'First failed',
  noJobs: 'No job failed permanently.',
  keys: 'Keys of the deployment',
  masterKey: 'Master key',
  masterKeys: 'Master keys',
  rotating: 'A rotation is in progress. Finish it when every process runs with the new key:',
  inUse: 'in use',
  notInUse: 'not in use',
  createdAt: (at: string) => `since ${at}`,
  signingKey: 'Signing key of user tokens',
  signingKeyNone: 'created with the first user token',
  rotatedEvery: 'replaced automatically every 30 days',
  rotateHint: 'Rotate the master key while the service runs:',
};

const STAGES: Readonly<Record<Exclude<Stage['name'], 'sync'>, string>> = {
  events: 'Events to publish',
  deliveries: 'Webhook deliveries',
  provider_webhooks: 'Provider webhooks to read',
  scoring: 'Scores to compute',
  jobs: 'Background jobs',
};

export function stageName({ name, provider }: Pick<Stage, 'name' | 'provider'>): string {
  if (name !== 'sync') return STAGES[name];
  return `Sync with ${provider === undefined || provider === null ? 'providers' : providerName(provider)}`;
}

const KILO = 1_024;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** 1.4 GB */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= KILO && unit < UNITS.length - 1) {
    value /= KILO;
    unit += 1;
  }
  return `${number(value, unit > 1 && value < 100 ? 1 : 0)} ${UNITS[unit]}`;
}

function uncapitalize(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
