// Judges what the running service says about providers, mail, webhooks, keys and growth. Pure.
import { COMMAND } from '../command-name.ts';
import { DAY_MS } from '../domain/time/durations.ts';
import { type Finding, warning } from './finding.ts';

/** The reply of /admin/diagnosis. */
export type DiagnosisReply = {
  readonly providers: readonly {
    readonly id: string;
    readonly is_configured: boolean;
    readonly own_clients: number;
    readonly devices: number;
    readonly failing: number;
    readonly parked_tasks: number;
    readonly unregistered_apps: number;
  }[];
  readonly mail: {
    readonly is_configured: boolean;
    readonly failing: number;
    readonly last_error: string | null;
    readonly last_failed_at: string | null;
  };
  readonly webhooks: readonly {
    readonly id: string;
    readonly account: string;
    readonly environment: string;
    readonly host: string;
    readonly disabled_reason: string | null;
    readonly failing_since: string | null;
  }[];
  readonly master_keys: number;
  /** Services of earlier versions do not report it. */
  readonly master_key_problem?: string | null;
  readonly database: { readonly bytes: number; readonly bytes_per_day: number | null };
};

/** `freeBytes`: of the disk with the database; null: it is on another machine. */
export function judgeDiagnosis(diagnosis: DiagnosisReply, freeBytes: number | null): Finding[] {
  return [
    ...judgeProviders(diagnosis.providers),
    judgeMail(diagnosis.mail),
    judgeWebhooks(diagnosis.webhooks),
    judgeMasterKeys(diagnosis),
    judgeGrowth(diagnosis.database, freeBytes),
  ];
}

const FAILING_SHARE = 0.2; // single accounts fail every day; a fifth of them is the provider or our application

function judgeProviders(providers: DiagnosisReply['providers']): Finding[] {
  const check = 'providers';
  const warnings = providers.flatMap((provider) => {
    const problems = listProviderProblems(provider);
    const fix = `Run: ${COMMAND} providers check ${provider.id}`;
    return problems.length === 0 ? [] : [warning(check, `${provider.id}: ${problems.join(', ')}`, fix)];
  });
  if (warnings.length > 0) return warnings;
  const usable = providers.filter(({ is_configured, own_clients }) => is_configured || own_clients > 0);
  const found =
    usable.length > 0
      ? `${usable.map(({ id }) => id).join(', ')} have an application; no failures`
      : 'no application is configured, so live users cannot connect provider accounts (docs/connections.md)';
  return [{ check, ok: true, found }];
}

function listProviderProblems(provider: DiagnosisReply['providers'][number]): string[] {
  const { is_configured, own_clients, devices, failing, parked_tasks, unregistered_apps } = provider;
  return [
    devices > 0 && !is_configured && own_clients === 0 && `${devices} devices, but no application is configured`,
    unregistered_apps > 0 && `webhooks of ${unregistered_apps} applications are not registered`,
    failing > 0 && failing >= devices * FAILING_SHARE && `syncs of ${failing} of ${devices} devices fail`,
    parked_tasks > 0 && `${parked_tasks} sync tasks failed permanently`,
  ].filter((problem) => problem !== false);
}

function judgeMail({ is_configured, failing, last_error, last_failed_at }: DiagnosisReply['mail']): Finding {
  const check = 'mail';
  if (failing > 0) {
    const fix = 'Check TRIBUTARY_SMTP_URL and the mail server. Waiting mails are retried.';
    return warning(check, `${failing} mails failed, the last at ${last_failed_at}: ${last_error}`, fix);
  }
  return {
    check,
    ok: true,
    found: is_configured
      ? 'configured; no mail waits after a failure'
      : 'not configured (TRIBUTARY_SMTP_URL); links are printed instead',
  };
}

const MAX_NAMED = 5;

function judgeWebhooks(webhooks: DiagnosisReply['webhooks']): Finding {
  const check = 'webhooks';
  if (webhooks.length === 0) return { check, ok: true, found: 'none is failing or disabled after failures' };
  const named = webhooks
    .slice(0, MAX_NAMED)
    .map(({ id, account, environment, host, disabled_reason, failing_since }) => {
      const state = disabled_reason === null ? `failing since ${failing_since}` : `disabled (${disabled_reason})`;
      return `${account} ${environment} ${host} (${id}) ${state}`;
    });
  const rest = webhooks.length > MAX_NAMED ? [`${webhooks.length - MAX_NAMED} more`] : [];
  const fix = 'Ask the customer to repair the receiver; a disabled webhook must be enabled again afterwards.';
  return warning(check, [...named, ...rest].join('; '), fix);
}

function judgeMasterKeys({ master_keys: count, master_key_problem: problem = null }: DiagnosisReply): Finding {
  const check = 'master key';
  if (problem !== null) return { check, ok: false, found: problem };
  if (count <= 1) return { check, ok: true, found: 'one, no rotation under way' };
  const fix = `Restart every process with the new key, then run: ${COMMAND} keys rotate-master --finish`;
  return warning(check, `${count} keys are accepted, because a rotation is not finished`, fix);
}

const MIN_DAYS_LEFT = 30; // time to order a larger disk
const GIB = 1_073_741_824;
const inGib = (bytes: number): string => `${(bytes / GIB).toFixed(bytes < GIB ? 2 : 1)} GiB`;

function judgeGrowth({ bytes, bytes_per_day }: DiagnosisReply['database'], freeBytes: number | null): Finding {
  const check = 'growth';
  const size = `the database has ${inGib(bytes)}`;
  if (bytes_per_day === null) return { check, ok: true, found: `${size}; growth is known after two days` };
  if (bytes_per_day <= 0) return { check, ok: true, found: `${size} and does not grow` };
  const grows = `${size} and grows by ${inGib(bytes_per_day)} per day`;
  if (freeBytes === null) return { check, ok: true, found: grows };
  const days = Math.floor(freeBytes / bytes_per_day);
  if (days >= MIN_DAYS_LEFT) return { check, ok: true, found: `${grows}; the disk lasts for ${days} days` };
  const fix = 'Enlarge the disk, or lower TRIBUTARY_RAW_RETENTION_DAYS to keep less raw data.';
  return warning(check, `${grows}; the disk is full in ${days} days`, fix);
}

export type ListedKey = {
  readonly id: string;
  readonly account: string;
  readonly environment: string;
  readonly name: string;
  readonly status: string;
  readonly expires_at: string;
  readonly expires_soon: boolean;
  readonly last_used_at: string | null;
};

const USED_DAYS = 7; // before its expiry: somebody probably still calls with it

export function judgeApiKeys(keys: readonly ListedKey[]): Finding {
  const check = 'API keys';
  const describe = (key: ListedKey, verb: string) =>
    `${key.account} ${key.environment} "${key.name}" (${key.id}) ${verb} on ${key.expires_at.slice(0, 10)}`;
  const described = [
    ...keys.filter(hasExpiredInUse).map((key) => describe(key, 'expired')),
    ...keys.filter((key) => key.expires_soon).map((key) => describe(key, 'expires')),
  ];
  if (described.length === 0) return { check, ok: true, found: 'none expires within 14 days' };
  return warning(check, described.join('; '), `Replace each without downtime: ${COMMAND} keys rotate ID --overlap 24h`);
}

function hasExpiredInUse({ status, expires_at, last_used_at }: ListedKey): boolean {
  if (status !== 'expired' || last_used_at === null) return false;
  return Date.parse(last_used_at) > Date.parse(expires_at) - USED_DAYS * DAY_MS;
}
