// Wires the services, both HTTP servers and the jobs together. Opens nothing; start-service.ts defines the order.

import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { readPublishedApi } from './api-document.ts';
import { COMMAND } from './command-name.ts';
import { type Config, tombstoneFileOf } from './config.ts';
import type { ConnectionPlan, Role } from './connection-plan.ts';
import { CITUS_LAYOUT } from './distributed-tables.ts';
import type { Form } from './domain/tenancy.ts';
import { SECOND_MS } from './domain/time/durations.ts';
import { redirectUriOf, sandboxWebhookUrlOf } from './features/clouds/provider-apps/index.ts';
import { createImportThreads } from './features/intake/imports/index.ts';
import { DELIVERY_TIMEOUT_MS } from './features/notify/webhooks/index.ts';
import { createLiveFeeds } from './features/operator/activity/index.ts';
import { createDashboardFiles } from './features/operator/dashboard-files/index.ts';
import { createGaugeReader } from './features/operator/monitoring/index.ts';
import { operationRoutes } from './features/operator/operations/index.ts';
import { countOtherApiProcesses } from './features/operator/service/index.ts';
import { simulatorRoutes } from './features/sandbox/simulator-api/index.ts';
import { createKeyUses } from './features/tenancy/accounts/index.ts';
import { createAuditTrail } from './features/tenancy/audit-trail/index.ts';
import { createAuthenticateMember } from './features/tenancy/members/index.ts';
import { createRequestLog } from './features/tenancy/request-log/index.ts';
import { authenticateSdk, looksLikeSdkToken } from './features/tenancy/sdk-sessions/index.ts';
import { createAuthenticate, USER_TOKEN_MS } from './features/tenancy/tokens/index.ts';
import { createUsage } from './features/tenancy/usage/index.ts';
import { explainMissingUser } from './features/tenancy/user-core/index.ts';
import { FORM_NAMES } from './form-names.ts';
import { listRanges } from './platform/address-ranges.ts';
import type { Clock } from './platform/clock.ts';
import { createCredentialVersion } from './platform/credential-version.ts';
import { createDerivedSecrets } from './platform/crypto/derived-secret.ts';
import { createDatedTokens, createDerivedTokens } from './platform/crypto/derived-token.ts';
import { isSameSecret } from './platform/crypto/is-same-secret.ts';
import { createSecretEnvelope } from './platform/crypto/secret-envelope.ts';
import { createCitusNodes } from './platform/db/citus-nodes.ts';
import { createDatabase, DATABASE_TIMEOUTS, type DatabaseTimeouts } from './platform/db/database.ts';
import { loadMigrations } from './platform/db/migrate.ts';
import { AppError } from './platform/errors.ts';
import { createFairShares, type ShareLimits } from './platform/fair-shares.ts';
import { servicesOfAccount } from './platform/http/account-services.ts';
import type { Authenticate } from './platform/http/caller.ts';
import { createCursorCodec } from './platform/http/cursor.ts';
import type { RatePolicies } from './platform/http/rate-limit.ts';
import type { RawRoute } from './platform/http/raw-route.ts';
import type { Route } from './platform/http/route.ts';
import { createHttpServer, type ServingPhase } from './platform/http/server.ts';
import { newId } from './platform/ids.ts';
import { createJobQueue } from './platform/jobs/job-queue.ts';
import { createKeyedMutex } from './platform/keyed-mutex.ts';
import { createKeyKeeper, createKeyring, type MasterKeySource } from './platform/keyring/index.ts';
import type { Logger } from './platform/log.ts';
import { countMails } from './platform/mail/mail-metrics.ts';
import { createMailer } from './platform/mail/mailer.ts';
import { createOutbound } from './platform/outbound/index.ts';
import { createOwnCalls, makeOwnCallSecret } from './platform/own-calls.ts';
import { createRateLimits } from './platform/rate-limits/index.ts';
import type { Services } from './platform/services.ts';
import { createThreadPool } from './platform/threads/thread-pool.ts';
import { createTokenSigner } from './platform/token-signer.ts';
import { createTombstones } from './platform/tombstones.ts';
import { openTracer, traceDatabase, traceOutbound } from './platform/tracing/index.ts';
import { findParts } from './provider-parts.ts';
import {
  memberRoutes,
  operatorRoutes,
  publicRawRoutes,
  publicRoutes,
  workerOperatorRoutes,
  workerRawRoutes,
} from './routes.ts';
import { createServiceMetrics } from './service-metrics.ts';
import { createSimulatedProviders } from './simulated-providers.ts';
import type { StartedDatabase } from './start-database.ts';
import { VERSION } from './version.ts';

/** Single statements that write. No transaction uses their connections, so that each slot of both has one. */
const SINGLE_WRITES = 4;

/** Computations share one thread, so further accounts do not wait for the first ones to finish. */
const COMPUTATIONS: ShareLimits = { atOnce: 4, perAccount: 1, waitingPerAccount: 64 };
/** Two are enough to compute one read while the database executes another. */
const LARGE_READS: ShareLimits = { atOnce: 6, perAccount: 2, waitingPerAccount: 200 };
/** Each holds up to 20 MB; one is parsed in a thread while another is stored. */
const LARGE_UPLOADS: ShareLimits = { atOnce: 8, perAccount: 4, waitingPerAccount: 200 };
/** Half of them are for accounts that use none. A key can send 200 calls at once, and all can wait. */
function shareConnections(atOnce: number): ShareLimits {
  return { atOnce, perAccount: Math.max(1, Math.floor(atOnce / 2)), waitingPerAccount: 400 };
}

const SIMULATOR_PATH = '/simulator';
const DASHBOARD_FOLDER = path.resolve(import.meta.dirname, '../../dashboard');

export type ServiceTimeouts = { readonly database: DatabaseTimeouts; readonly deliveryMs: number };
/** Shorter ones are for tests. */
export const SERVICE_TIMEOUTS: ServiceTimeouts = { database: DATABASE_TIMEOUTS, deliveryMs: DELIVERY_TIMEOUT_MS };

/** Values that are known only after the start. */
type LateFacts = {
  publicUrl(): string;
  ownUrl(): string;
  readonly ownOrigins: ReadonlySet<string>;
  deploymentId(): string;
  isUp(): boolean;
};

/** What a process receives if it runs beside others under one supervisor (src/processes). */
export type ProcessGroup = {
  /** One API process has the operator socket and creates the first account. */
  readonly isLead: boolean;
  readonly apiProcesses: number;
  readonly publicUrl: string | null;
  readonly ownCallSecret: string;
  readonly database: StartedDatabase;
  /** The metrics of all processes. Null: the supervisor cannot be asked. */
  renderMetrics(): Promise<string | null>;
};

export function createServices(options: {
  config: Config;
  role: Role;
  masterKeys: MasterKeySource;
  clock: Clock;
  log: Logger;
  print: (line: string) => void;
  late: LateFacts;
  group?: ProcessGroup | undefined;
  connections: Pick<ConnectionPlan, 'reads' | 'writes'>;
  timeouts?: ServiceTimeouts;
}): Services {
  const { config, role, masterKeys, clock, log, print, late, group, timeouts = SERVICE_TIMEOUTS } = options;
  const { reads, writes } = options.connections;
  const schemaVersion = loadMigrations().length;
  const metrics = createServiceMetrics({ version: VERSION, schema: schemaVersion }, group?.renderMetrics ?? null);
  const tracer = openTracer(config, VERSION, metrics);
  const open = (limits: { maxConnections: number; readConnections?: number }) =>
    traceDatabase(createDatabase({ ...limits, log, timeouts: timeouts.database }), tracer);
  const db = open({ maxConnections: writes, readConnections: reads });
  metrics.watchPool('reads', db.readPool, reads);
  metrics.watchPool('writes', db.pool, writes);
  const nodes = createCitusNodes({
    db,
    tables: CITUS_LAYOUT,
    hosts: role === 'worker' ? [] : config.citusNodes,
    coordinatorUrl: config.databaseUrl,
    log,
    connect(url) {
      const node = open({ maxConnections: writes });
      node.attach({ url });
      return node;
    },
  });
  for (const { name, pool } of nodes.pools) metrics.watchPool(name, pool, writes);
  const processId = newId<string>();
  const keyring = createKeyring();
  const secrets = createSecretEnvelope(keyring);
  const derivedSecrets = createDerivedSecrets(() => keyring.derive('derived secrets'));
  const ownCalls = createOwnCalls(group?.ownCallSecret ?? makeOwnCallSecret());
  const ownOutbound = ownCalls.mark(
    traceOutbound(createOutbound({ allowLoopback: config.allowPrivateWebhooks, exceptions: late.ownOrigins }), tracer),
    late.ownOrigins,
  );
  const usage = createUsage({ db, clock, log });
  const documents = new Map<Form | undefined, object>();
  const services: Services = {
    db,
    nodes,
    clock,
    log,
    secrets,
    keyKeeper: createKeyKeeper({ db, keyring, source: masterKeys, log }),
    sdkTokens: createDerivedTokens(() => keyring.derive('sdk tokens')),
    derivedSecrets,
    tombstones: createTombstones({ file: tombstoneFileOf(config), derivedSecrets, clock, log }),
    linkTokens: createDerivedTokens(() => keyring.derive('link tokens')),
    portalTokens: createDatedTokens(() => keyring.derive('portal tokens')),
    jobs: createJobQueue(),
    cursors: createCursorCodec(() => keyring.derive('cursors')),
    signer: createTokenSigner({ db, secrets, clock, deploymentId: late.deploymentId, lifetimeMs: USER_TOKEN_MS }),
    credentialVersion: createCredentialVersion(db, clock),
    metrics,
    tracer,
    usage,
    requestLog: createRequestLog({ db, clock, log, usage, metrics }),
    gauges: createGaugeReader({ db, clock, log, metrics }),
    auditTrail: createAuditTrail({ db, clock, log, key: () => keyring.derive('audit trail') }),
    liveFeeds: createLiveFeeds({ db, log }),
    keyUses: createKeyUses({ db, clock, log }),
    dashboardFiles: createDashboardFiles(DASHBOARD_FOLDER),
    userMutex: createKeyedMutex(),
    threads: createThreadPool(),
    importThreads: createImportThreads(),
    shares: {
      computation: createFairShares(COMPUTATIONS),
      large_read: createFairShares(LARGE_READS),
      large_upload: createFairShares(LARGE_UPLOADS),
      transaction: createFairShares(shareConnections(Math.max(1, writes - SINGLE_WRITES))),
      write: createFairShares(shareConnections(SINGLE_WRITES)),
      read: createFairShares(shareConnections(reads)),
    },
    rateLimits: createRateLimits({
      clock,
      db,
      log,
      redisUrl: role === 'worker' ? null : config.redisUrl,
      deploymentId: late.deploymentId,
      groupSize: role === 'worker' ? 1 : (group?.apiProcesses ?? 1),
      // The embedded database has no users outside of the group.
      countOthers:
        role === 'worker' || config.databaseUrl === null ? null : () => countOtherApiProcesses(db, processId),
    }),
    outbound: traceOutbound(
      createOutbound({ allowLoopback: config.allowPrivateWebhooks, networks: listRanges(config.webhookNetworks) }),
      tracer,
    ),
    ownOutbound,
    ownCalls,
    simulator: createSimulatedProviders({
      isOn: config.isSandboxOn,
      key: () => keyring.derive('simulator'),
      clock,
      outbound: ownOutbound,
      pagesUrl: () => services.settings.simulator().pages,
      redirectUriOf: (provider) => redirectUriOf(services, provider),
      webhookUrlOf: (provider) => sandboxWebhookUrlOf(services, provider),
    }),
    mailer: config.smtpUrl === null ? null : countMails(createMailer(config.smtpUrl, late.publicUrl), metrics),
    print,
    settings: {
      version: VERSION,
      commandName: COMMAND,
      processId,
      deliveryTimeoutMs: timeouts.deliveryMs,
      newAccountForm: config.defaultForm,
      rawRetentionDays: config.rawRetentionDays,
      auditRetentionDays: config.auditRetentionDays,
      auditLogRetentionDays: config.auditLogRetentionDays,
      invitationsPerHour: config.invitationsPerHour,
      backfillDays: config.backfillDays,
      importFolder: path.join(config.dataDir, 'imports'),
      passOnRestricted: config.passOnRestricted,
      unconfirmedParts: findParts(config.unconfirmedParts),
      schemaVersion,
      publicUrl: late.publicUrl,
      ownUrl: late.ownUrl,
      simulator: () => ({ pages: `${late.publicUrl()}${SIMULATOR_PATH}`, api: `${late.ownUrl()}${SIMULATOR_PATH}` }),
      providerClients: config.providerClients,
      providerRegions: { dexcom: config.dexcomRegion },
      isSandboxOn: config.isSandboxOn,
      isUp: late.isUp,
    },
    openapi: (form) => documents.getOrInsertComputed(form, () => readPublishedApi(late.publicUrl(), form)),
  };
  return services;
}

type ServerOptions = {
  config: Config;
  services: Services;
  log: Logger;
  phase: () => ServingPhase;
  ratePolicies: RatePolicies;
};

/** A worker serves health checks and no API. */
export function createPublicServer(options: ServerOptions, role: Role): Promise<FastifyInstance> {
  return createServer(
    options,
    role === 'worker'
      ? { routes: operationRoutes, rawRoutes: workerRawRoutes }
      : { routes: [...publicRoutes, ...memberRoutes], rawRoutes: publicRawRoutes },
    authenticateCaller(options.services),
  );
}

export function createOperatorServer(
  options: ServerOptions & { operatorToken: string },
  role: Role,
): Promise<FastifyInstance> {
  const config = { ...options.config, trustedProxies: [] }; // a local socket has no proxy in front
  const authenticate = authenticateOperator(options.operatorToken);
  const routes = role === 'worker' ? workerOperatorRoutes : operatorRoutes;
  return createServer({ ...options, config }, { routes, rawRoutes: [] }, authenticate);
}

function createServer(
  options: ServerOptions,
  { routes, rawRoutes }: { routes: readonly Route[]; rawRoutes: readonly RawRoute[] },
  authenticate: Authenticate,
): Promise<FastifyInstance> {
  const { config, services, log, phase, ratePolicies } = options;
  return createHttpServer({
    routes,
    rawRoutes: config.isSandboxOn ? rawRoutes : rawRoutes.filter((route) => !simulatorRoutes.includes(route)),
    services,
    log,
    phase,
    defaultForm: config.defaultForm,
    formNames: FORM_NAMES,
    trustedProxies: config.trustedProxies,
    auth: {
      authenticate,
      authenticateMember: createAuthenticateMember(services),
      ownOrigin: () => new URL(services.settings.publicUrl()).origin,
      limiter: services.rateLimits,
      policies: ratePolicies,
      recordKeyUse: services.keyUses.record,
    },
    observe: (request) => {
      const { method, route, status, ms, firstByteMs = ms } = request;
      services.metrics.observeRequest(method, route, status, firstByteMs / SECOND_MS);
      if (request.error === 'rate_limited') services.metrics.countRateLimited(request.route);
      services.requestLog.record(request);
      services.auditTrail.recordRead(request);
    },
    observeStream: (request) => services.auditTrail.recordRead(request),
    explainNotFound: (tenant, error) =>
      explainMissingUser(servicesOfAccount(services, tenant.accountId).db, tenant, error),
  });
}

/** The feature that issues a kind of token also authenticates it. */
function authenticateCaller(
  services: Pick<Services, 'clock' | 'credentialVersion' | 'db' | 'sdkTokens' | 'settings' | 'signer'>,
): Authenticate {
  const authenticate = createAuthenticate(services);
  return (token, limits) =>
    looksLikeSdkToken(token) ? authenticateSdk(services, token, limits) : authenticate(token, limits);
}

function authenticateOperator(expected: string): Authenticate {
  return async (token) => {
    if (!isSameSecret(expected, token)) throw new AppError('invalid_token');
    return { kind: 'operator' };
  };
}
