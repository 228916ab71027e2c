// The services of the features, beside those of the platform. compose.ts creates both; operations and jobs receive them as one
// `Services`. The platform names none of them: it passes them on.
import type { ProviderClient } from './domain/provider-ids.ts';
import type { Form } from './domain/tenancy.ts';
import type { ProviderMetrics } from './features/clouds/provider-accounts/index.ts';
import type { ImportThreads } from './features/intake/imports/index.ts';
import type { IntakeMetrics } from './features/intake/uploads/index.ts';
import type { DeliveryMetrics } from './features/notify/webhooks/index.ts';
import type { LiveFeeds } from './features/operator/activity/index.ts';
import type { DashboardFiles } from './features/operator/dashboard-files/index.ts';
import type { GaugeReader, ServiceGauges } from './features/operator/monitoring/index.ts';
import type { KeyMetrics, KeyUses } from './features/tenancy/accounts/index.ts';
import type { AuditTrail } from './features/tenancy/audit-trail/index.ts';
import type { RequestLog, RequestLogMetrics } from './features/tenancy/request-log/index.ts';
import type { Usage } from './features/tenancy/usage/index.ts';
import type { DatedTokens, DerivedTokens } from './platform/crypto/derived-token.ts';
import type { FairShares } from './platform/fair-shares.ts';
import type { KeyedMutex } from './platform/keyed-mutex.ts';
import type { SimulatedProviders } from './simulated-providers.ts';

declare module './platform/services.ts' {
  interface Services {
    readonly sdkTokens: DerivedTokens;
    /** Tokens of links that are sent by mail. */
    readonly linkTokens: DerivedTokens;
    /** Tokens of privacy portal links, which expire and can be replaced. */
    readonly portalTokens: DatedTokens;
    /** Changes of one user's data run one after the other and hold no connection while they wait. */
    readonly userMutex: KeyedMutex;
    readonly simulator: SimulatedProviders;
    /** When each API key was last used; saved every 30 seconds. */
    readonly keyUses: KeyUses;
    readonly dashboardFiles: DashboardFiles;
    /** Counters per account and minute; saved every five seconds. */
    readonly usage: Usage;
    /** The latest API calls; saved every second. */
    readonly requestLog: RequestLog;
    /** Gauges of the whole service, read from the database for a scrape. */
    readonly gauges: GaugeReader;
    /** Who did what and who read whose health data; reads are saved every second. */
    readonly auditTrail: AuditTrail;
    /** Read the files that members upload. */
    readonly importThreads: ImportThreads;
    /** The live streams of the dashboard. */
    readonly liveFeeds: LiveFeeds;
  }

  interface Shares {
    /** From unpacking to storing; limits how many unpacked uploads are in memory. */
    readonly large_upload: FairShares;
  }

  interface Settings {
    readonly newAccountForm: Form;
    /** For one attempt of a webhook delivery. */
    readonly deliveryTimeoutMs: number;
    /** 0: raw payloads are not kept. */
    readonly rawRetentionDays: number;
    readonly auditRetentionDays: number;
    readonly auditLogRetentionDays: number;
    /** Days of history to fetch when a cloud account is connected. */
    readonly backfillDays: number;
    /** Holds files that members upload, until they are imported. */
    readonly importFolder: string;
    /** Providers whose data may be passed on although their terms restrict it. */
    readonly passOnRestricted: ReadonlySet<string>;
    /** The unconfirmed parts that the operator enabled, by provider. */
    readonly unconfirmedParts: ReadonlyMap<string, ReadonlySet<string>>;
    /** Maximum per account. */
    readonly invitationsPerHour: number;
    /** False: sandbox keys and tokens are rejected, and no sandbox jobs run. */
    readonly isSandboxOn: boolean;
    /** URLs of the simulator: `pages` for browsers, `api` for this process. */
    simulator(): { readonly pages: string; readonly api: string };
    /** Credentials of the operator's applications, by provider. */
    readonly providerClients: ReadonlyMap<string, ProviderClient>;
    /** The region of each provider that has several. */
    readonly providerRegions: Readonly<Partial<Record<string, string>>>;
  }
}

declare module './platform/metrics.ts' {
  interface Metrics
    extends DeliveryMetrics,
      IntakeMetrics,
      KeyMetrics,
      ProviderMetrics,
      RequestLogMetrics,
      ServiceGauges {}
}
