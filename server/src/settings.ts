// The table of settings: variable, default, description and validation of each.

import { resolve } from 'node:path';
import { CLOUD_PROVIDER_IDS } from './domain/provider-ids.ts';
import type { Form } from './domain/tenancy.ts';
import { readAddressRange } from './platform/address-ranges.ts';
import { readHost } from './platform/db/database-url.ts';
import { LOG_LEVELS } from './platform/log.ts';
import {
  readDatabaseUrl,
  readFlag,
  readHeaders,
  readInteger,
  readMasterKey,
  readPublicUrl,
  readRatio,
  readSmtpUrl,
  readUrl,
  readWord,
  readWords,
  splitList,
} from './platform/setting-values.ts';

const DEXCOM_REGIONS = ['us', 'eu', 'jp'] as const;

/** `read` parses a value, or throws a text that completes "NAME …". */
export type Setting = { readonly variable: string; readonly about: string } & (
  | {
      /** The value that is read if the variable is not set. */
      readonly fallback: string;
      readonly otherwise?: undefined;
      read(text: string): unknown;
    }
  | {
      /** What applies if the variable is not set, in words; `read` gets null. */
      readonly otherwise: string;
      readonly fallback?: undefined;
      read(text: string | null): unknown;
    }
);

export const SETTINGS = {
  port: {
    variable: 'PORT',
    fallback: '8080',
    about: 'port of the API and the hosted pages; 0 uses a free port',
    read: (text) => readInteger(text, 0, 65_535),
  },
  host: {
    variable: 'HOST',
    fallback: '127.0.0.1',
    about: 'address to listen on; 0.0.0.0 for all interfaces',
    read: (text) => text,
  },
  publicUrl: {
    variable: 'TRIBUTARY_PUBLIC_URL',
    otherwise: 'http://HOST:PORT',
    about: 'base URL of hosted pages and callbacks, as seen from outside',
    read: (text) => (text === null ? null : readPublicUrl(text)),
  },
  dataDir: {
    variable: 'TRIBUTARY_DATA_DIR',
    fallback: './data',
    about: 'folder for the embedded database, the operator socket and the master key',
    read: (text) => resolve(text),
  },
  tombstoneFile: {
    variable: 'TRIBUTARY_TOMBSTONE_FILE',
    otherwise: 'tombstones.jsonl in the data folder',
    about:
      'file with hashes of erased users and accounts, ended API keys and persons who stopped sharing, which a restore applies; best on another disk than the database',
    read: (text) => (text === null ? null : resolve(text)),
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    otherwise: 'none: embedded PostgreSQL',
    about:
      'URL of your own PostgreSQL, 15 or newer; the embedded one is then not started. It can name several hosts ([postgresql.md](postgresql.md))',
    read: (text) => (text === null ? null : readDatabaseUrl(text)),
  },
  migrationDatabaseUrl: {
    variable: 'TRIBUTARY_MIGRATION_DATABASE_URL',
    otherwise: 'DATABASE_URL',
    about:
      'URL of the same database with the role that owns the tables and migrates; the role of DATABASE_URL then only reads and writes rows',
    read: (text) => (text === null ? null : readDatabaseUrl(text)),
  },
  citusNodes: {
    variable: 'TRIBUTARY_CITUS_NODES',
    otherwise: 'none: the coordinator plans every upload',
    about: 'HOST:PORT of Citus worker nodes, comma-separated, which store uploads ([scaling.md](scaling.md#citus))',
    read: (text) => splitList(text ?? '').map(readHost),
  },
  readConnections: {
    variable: 'TRIBUTARY_READ_CONNECTIONS',
    fallback: '8',
    about: 'database connections of an API process for reads ([formula](postgresql.md#connections))',
    read: (text) => readInteger(text, 2, 200),
  },
  writeConnections: {
    variable: 'TRIBUTARY_WRITE_CONNECTIONS',
    fallback: '10',
    about: 'database connections of an API process for writes, which can all wait for a synchronous standby',
    read: (text) => readInteger(text, 4, 200),
  },
  workerConnections: {
    variable: 'TRIBUTARY_WORKER_CONNECTIONS',
    fallback: '16',
    about: 'database connections of a worker: half for jobs, half for events, webhooks, scores and sync',
    read: (text) => readInteger(text, 8, 200),
  },
  drainSeconds: {
    variable: 'TRIBUTARY_DRAIN_SECONDS',
    fallback: '0',
    about:
      'seconds after SIGTERM in which the process is not ready but still answers; behind a load balancer, longer than two of its checks',
    read: (text) => readInteger(text, 0, 300),
  },
  defaultForm: {
    variable: 'TRIBUTARY_DEFAULT_FORM',
    fallback: '1',
    about: 'response form of new accounts for requests that name none ([forms.md](forms.md))',
    read: (text) => readInteger(text, 1, 2) as Form,
  },
  allowPrivateWebhooks: {
    variable: 'TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS',
    fallback: '0',
    about:
      '1 allows webhooks over http and to this machine (127.0.0.0/8, ::1, localhost). Development only: any customer can then reach it',
    read: readFlag,
  },
  webhookNetworks: {
    variable: 'TRIBUTARY_WEBHOOK_NETWORKS',
    otherwise: 'none',
    about:
      'CIDR ranges of private networks with webhook receivers, comma-separated, such as 10.0.0.0/8,fd00::/8; any customer can then reach them, also over http ([webhooks.md](webhooks.md#private-networks))',
    read: (text) => splitList(text ?? '').map(readAddressRange),
  },
  rawRetentionDays: {
    variable: 'TRIBUTARY_RAW_RETENTION_DAYS',
    fallback: '30',
    about: 'days that uploads and provider pages are kept as received, for tributary replay; 0 keeps none',
    read: (text) => readInteger(text, 0, 3_650),
  },
  auditRetentionDays: {
    variable: 'TRIBUTARY_AUDIT_RETENTION_DAYS',
    fallback: '2190',
    about: 'days that entries of the audit trail are kept; the default is six years',
    read: (text) => readInteger(text, 1, 36_500),
  },
  auditLogRetentionDays: {
    variable: 'TRIBUTARY_AUDIT_LOG_RETENTION_DAYS',
    fallback: '2190',
    about: 'days that entries of the audit log are kept, which the dashboard shows; the default is six years',
    read: (text) => readInteger(text, 1, 36_500),
  },
  backfillDays: {
    variable: 'TRIBUTARY_BACKFILL_DAYS',
    fallback: '365',
    about: 'days of history to fetch when a cloud account is connected, as far as the provider has them',
    read: (text) => readInteger(text, 1, 3_650),
  },
  passOnRestricted: {
    variable: 'TRIBUTARY_PASS_ON_RESTRICTED',
    otherwise: 'none',
    about:
      'providers whose data exports and the assistant server may contain although their terms restrict it, comma-separated, if you have an agreement with them ([restrictions.md](restrictions.md))',
    read: (text) => readWords(text ?? '', CLOUD_PROVIDER_IDS),
  },
  unconfirmedParts: {
    variable: 'TRIBUTARY_UNCONFIRMED_PARTS',
    otherwise: 'none',
    about:
      'parts of connectors to enable that no public source confirms, as PROVIDER.PART, comma-separated ([restrictions.md](restrictions.md#unconfirmed-parts))',
    read: (text) => new Set(splitList(text ?? '')),
  },
  masterKey: {
    variable: 'TRIBUTARY_MASTER_KEY',
    otherwise: 'generated in the data folder',
    about: '32 random bytes as base64 or hex; protects secrets at rest',
    read: readMasterKey,
  },
  newMasterKey: {
    variable: 'TRIBUTARY_NEW_MASTER_KEY',
    otherwise: 'generated',
    about: 'the next master key, only for tributary keys rotate-master',
    read: readMasterKey,
  },
  smtpUrl: {
    variable: 'TRIBUTARY_SMTP_URL',
    otherwise: 'none: links go to standard output',
    about:
      'mail server for invitations, links and reminders, smtps:// or smtp://; ?from=ADDRESS sets the sender (default: no-reply at the host of the public URL); smtp:// requires STARTTLS unless you add starttls=optional or starttls=never',
    read: (text) => (text === null ? null : readSmtpUrl(text)),
  },
  invitationsPerHour: {
    variable: 'TRIBUTARY_INVITATIONS_PER_HOUR',
    fallback: '500',
    about: 'invitations that one account can send within an hour, so that nobody sends spam through your mail server',
    read: (text) => readInteger(text, 1, 1_000_000),
  },
  redisUrl: {
    variable: 'REDIS_URL',
    otherwise: 'none: in memory of one process, in the database for several',
    about: 'Redis or Valkey for the rate limits of all API processes, redis:// or rediss://',
    read: (text) => (text === null ? null : readUrl(text, ['redis:', 'rediss:'])),
  },
  isSandboxOn: {
    variable: 'TRIBUTARY_SANDBOX',
    fallback: 'on',
    about:
      'off disables the sandbox environment and the simulated providers on the public port; existing sandbox data stays',
    read: (text) => readWord(text, ['on', 'off']) === 'on',
  },
  dexcomRegion: {
    variable: 'TRIBUTARY_DEXCOM_REGION',
    fallback: 'us',
    about: 'the Dexcom servers that hold the accounts of your users: us, eu (everywhere else) or jp',
    read: (text) => readWord(text, DEXCOM_REGIONS),
  },
  buildsDashboard: {
    variable: 'TRIBUTARY_DASHBOARD_BUILD',
    fallback: 'on',
    about: 'off: the start does not build the dashboard when its sources changed; `npm run build` does',
    read: (text) => readWord(text, ['on', 'off']) === 'on',
  },
  logLevel: {
    variable: 'TRIBUTARY_LOG_LEVEL',
    fallback: 'info',
    about: 'the least severe lines that are logged; debug logs every request',
    read: (text) => readWord(text, LOG_LEVELS),
  },
  otlpEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    otherwise: 'none: no traces',
    about: 'base URL of an OpenTelemetry collector (OTLP/HTTP); traces go to /v1/traces below it, as JSON',
    read: (text) => (text === null ? null : readUrl(text, ['http:', 'https:'])),
  },
  otlpTracesEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    otherwise: 'OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces',
    about: 'the whole URL for traces',
    read: (text) => (text === null ? null : readUrl(text, ['http:', 'https:'])),
  },
  otlpHeaders: {
    variable: 'OTEL_EXPORTER_OTLP_HEADERS',
    otherwise: 'none',
    about: 'headers for the collector, such as a credential: NAME=VALUE, comma-separated, values percent-encoded',
    read: (text) => readHeaders(text ?? ''),
  },
  traceServiceName: {
    variable: 'OTEL_SERVICE_NAME',
    fallback: 'tributary',
    about: 'the name of this service in traces',
    read: (text) => text,
  },
  traceSampleRatio: {
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '1',
    about:
      'share of the traces that begin here to record, from 0 to 1; a trace that a caller began is recorded if the caller records it',
    read: readRatio,
  },
  trustedProxies: {
    variable: 'TRIBUTARY_TRUSTED_PROXIES',
    otherwise: 'none',
    about: 'addresses or CIDR ranges of reverse proxies whose X-Forwarded-For header is trusted, comma-separated',
    read: (text) => splitList(text ?? '').map(readAddressRange),
  },
} as const satisfies Record<string, Setting>;

/** The default as the documentation writes it. */
export function describeDefault(setting: Setting): string {
  return setting.fallback ?? setting.otherwise;
}
