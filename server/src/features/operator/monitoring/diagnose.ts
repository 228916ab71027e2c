// The facts that `tributary doctor` judges: providers, mail, webhooks, master keys and the growth of the database. No health data.
import { DAY_MS } from '../../../domain/time/durations.ts';
import { readDatabaseSize } from '../../../platform/db/database-size.ts';
import { type FailingJobs, readFailingJobs } from '../../../platform/jobs/job-queue.ts';
import { listMasterKeys } from '../../../platform/keyring/index.ts';
import type { Services } from '../../../platform/services.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import { CLOUD_PROVIDERS } from '../../../providers/registry.ts';
import { countClients } from '../../clouds/provider-apps/index.ts';
import { listRegisteredApps } from '../../clouds/subscriptions/index.ts';
import { listSyncHealth, readSyncStates, type SyncHealth } from '../../clouds/sync/index.ts';
import { type BrokenWebhook, listBrokenWebhooks } from '../../notify/webhooks/index.ts';
import { sendRosterMailJob } from '../../people/roster/index.ts';
import { mailExpiringKeysJob, resetPasswordJob, sendMemberMailJob } from '../../tenancy/members/index.ts';
import { readSizeSince } from './size-store.ts';

type DiagnosedProvider = {
  readonly id: string;
  /** The operator's application. */
  readonly isConfigured: boolean;
  /** Accounts with an application of their own. */
  readonly ownClients: number;
  readonly devices: number;
  /** Devices whose last request failed. */
  readonly failing: number;
  readonly parkedTasks: number;
  /** Applications in use whose webhook subscriptions do not exist. */
  readonly unregisteredApps: number;
};

export type Diagnosis = {
  readonly providers: readonly DiagnosedProvider[];
  readonly mail: { readonly isConfigured: boolean } & FailingJobs;
  readonly webhooks: readonly BrokenWebhook[];
  readonly masterKeys: number;
  readonly masterKeyProblem: string | null;
  readonly database: { readonly bytes: number; readonly bytesPerDay: number | null };
};

const MAIL_JOBS = [sendRosterMailJob, sendMemberMailJob, resetPasswordJob, mailExpiringKeysJob].map(({ name }) => name);
const GROWTH_DAYS = 30;
const MIN_GROWTH_DAYS = 2; // a single night of backfills is not a trend

export async function diagnose({
  db,
  clock,
  keyKeeper,
  mailer,
  settings,
}: Pick<Services, 'clock' | 'db' | 'keyKeeper' | 'mailer' | 'settings'>): Promise<Diagnosis> {
  const now = clock.now();
  return {
    providers: await diagnoseProviders({ db, settings }, now),
    mail: { isConfigured: mailer !== null, ...(await readFailingJobs(db, MAIL_JOBS)) },
    webhooks: await listBrokenWebhooks(db),
    masterKeys: (await listMasterKeys(db)).length,
    masterKeyProblem: keyKeeper.problem(),
    database: await diagnoseDatabase(db, now),
  };
}

async function diagnoseProviders(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  now: Date,
): Promise<DiagnosedProvider[]> {
  const ids = CLOUD_PROVIDERS.map(({ id }) => id);
  const states = await readSyncStates(db, ids, now, settings.isSandboxOn);
  const health = await listSyncHealth(db, now);
  const clients = await countClients(db);
  const registered = new Set((await listRegisteredApps(db)).map(keyOf));
  return CLOUD_PROVIDERS.map((provider) => {
    const apps = health.filter((app) => app.provider === provider.id);
    const missing = apps.filter((app) => subscribesApplications(provider) && !registered.has(keyOf(app)));
    return {
      id: provider.id,
      isConfigured: settings.providerClients.has(provider.id),
      ownClients: clients.get(provider.id) ?? 0,
      devices: sum(apps, 'devices'),
      failing: sum(apps, 'failing'),
      parkedTasks: states.find((state) => state.provider === provider.id)?.parked ?? 0,
      unregisteredApps: missing.length,
    };
  });
}

const keyOf = ({ provider, appId }: { provider: string; appId: string }): string => `${provider}/${appId}`;
const sum = (apps: readonly SyncHealth[], field: 'devices' | 'failing') =>
  apps.reduce((total, app) => total + app[field], 0);

function subscribesApplications({ webhook }: CloudProvider): boolean {
  return webhook?.subscriptions?.per === 'application';
}

async function diagnoseDatabase(db: Services['db'], now: Date): Promise<Diagnosis['database']> {
  const { bytes } = await readDatabaseSize(db);
  const earlier = await readSizeSince(db, new Date(now.getTime() - GROWTH_DAYS * DAY_MS));
  const days = earlier === null ? 0 : (now.getTime() - Date.parse(`${earlier.day}T23:59:59Z`)) / DAY_MS;
  const isMeasurable = earlier !== null && days >= MIN_GROWTH_DAYS;
  return { bytes, bytesPerDay: isMeasurable ? (bytes - earlier.bytes) / days : null };
}
