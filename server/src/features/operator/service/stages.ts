// The stages that data passes through, with what waits in each. Pure.
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import type { Backlog } from '../../../platform/db/backlog.ts';

export const STAGE_NAMES = ['events', 'deliveries', 'provider_webhooks', 'sync', 'scoring', 'jobs'] as const;
type StageName = (typeof STAGE_NAMES)[number];

export type Stage = Backlog & {
  readonly name: StageName;
  /** Of the stage `sync`. */
  readonly provider: string | null;
  /** Sync tasks that failed permanently. */
  readonly parked: number;
  readonly isLate: boolean;
  /** Arguments of the command with which the operator can look closer. */
  readonly command: string | null;
};

/** Later than this, people notice. */
const LATE_MS: Readonly<Record<StageName, number>> = {
  events: MINUTE_MS,
  deliveries: 5 * MINUTE_MS,
  provider_webhooks: 5 * MINUTE_MS,
  sync: 15 * MINUTE_MS,
  scoring: 15 * MINUTE_MS,
  jobs: 5 * MINUTE_MS,
};

const COMMANDS: Readonly<Record<StageName, string | null>> = {
  events: 'doctor',
  deliveries: 'doctor',
  provider_webhooks: 'doctor',
  sync: 'providers check PROVIDER',
  scoring: 'doctor',
  jobs: 'doctor',
};

export function describeStage(
  name: StageName,
  backlog: Backlog,
  now: Date,
  { provider = null, parked = 0 }: { readonly provider?: string | null; readonly parked?: number } = {},
): Stage {
  const { oldestAt } = backlog;
  const isLate = (oldestAt !== null && now.getTime() - oldestAt.getTime() > LATE_MS[name]) || parked > 0;
  const command = isLate ? (COMMANDS[name]?.replace('PROVIDER', provider ?? '') ?? null) : null;
  return { name, provider, ...backlog, parked, isLate, command };
}
