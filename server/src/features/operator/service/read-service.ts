// The state of the deployment for the operator: readiness, processes, waiting work, sizes and keys. No health data.
import type { Backlog } from '../../../platform/db/backlog.ts';
import type { Database } from '../../../platform/db/database.ts';
import { readDatabaseSize } from '../../../platform/db/database-size.ts';
import { type GivenUpJobs, listGivenUpJobs, readJobLag } from '../../../platform/jobs/job-queue.ts';
import { type KnownMasterKey, listMasterKeys } from '../../../platform/keyring/index.ts';
import type { Services } from '../../../platform/services.ts';
import { readSigningKeyTime } from '../../../platform/token-signer.ts';
import { CLOUD_PROVIDERS } from '../../../providers/registry.ts';
import { readWaitingWebhooks } from '../../clouds/provider-webhooks/index.ts';
import { readSyncStates } from '../../clouds/sync/index.ts';
import { readWaitingEvents } from '../../notify/events/index.ts';
import { readDueDeliveries } from '../../notify/webhooks/index.ts';
import { readDueScoring } from '../../pipeline/scoring/index.ts';
import { type Readiness, readReadiness } from '../operations/index.ts';
import { listProcesses, type SeenProcess } from './process-store.ts';
import { describeStage, type Stage } from './stages.ts';

export type ServiceState = {
  readonly now: Date;
  readonly readiness: Readiness;
  readonly processes: readonly SeenProcess[];
  readonly stages: readonly Stage[];
  readonly givenUp: readonly GivenUpJobs[];
  readonly database: { readonly bytes: number; readonly version: string };
  readonly keys: { readonly masters: readonly KnownMasterKey[]; readonly signingKeyCreatedAt: Date | null };
};

export async function readService(
  services: Pick<Services, 'clock' | 'db' | 'log' | 'metrics' | 'settings'>,
): Promise<ServiceState> {
  const { db, clock } = services;
  const now = clock.now();
  const [readiness, processes, stages, givenUp, database, masters, signingKeyCreatedAt] = await Promise.all([
    readReadiness(services),
    listProcesses(db),
    readStages(services, now),
    listGivenUpJobs(db),
    readDatabaseSize(db),
    listMasterKeys(db),
    readSigningKeyTime(db),
  ]);
  return { now, readiness, processes, stages, givenUp, database, keys: { masters, signingKeyCreatedAt } };
}

async function readStages({ db, settings }: Pick<Services, 'db' | 'settings'>, now: Date): Promise<Stage[]> {
  const [events, deliveries, webhooks, sync, scoring, jobs] = await Promise.all([
    readWaitingEvents(db),
    readDueDeliveries(db, now),
    readWaitingWebhooks(db),
    readSyncStates(db, PROVIDER_IDS, now, settings.isSandboxOn),
    readDueScoring(db, now),
    readJobs(db, now),
  ]);
  return [
    describeStage('provider_webhooks', webhooks, now),
    ...sync
      .filter(({ waiting, parked }) => waiting > 0 || parked > 0)
      .map(({ provider, waiting, parked, lagSeconds }) => {
        const oldestAt = lagSeconds === 0 ? null : new Date(now.getTime() - lagSeconds * 1_000);
        return describeStage('sync', { waiting, oldestAt }, now, { provider, parked });
      }),
    describeStage('scoring', scoring, now),
    describeStage('events', events, now),
    describeStage('deliveries', deliveries, now),
    describeStage('jobs', jobs, now),
  ];
}

const PROVIDER_IDS = CLOUD_PROVIDERS.map(({ id }) => id);

async function readJobs(db: Database, now: Date): Promise<Backlog> {
  const { waiting, seconds } = await readJobLag(db);
  return { waiting, oldestAt: waiting === 0 ? null : new Date(now.getTime() - seconds * 1_000) };
}
