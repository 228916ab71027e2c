// The service without its loops, users with accounts connected to a stub cloud, and sync runs started by hand.

import { metricIdOf } from '../../src/domain/metrics/index.ts';
import { dayOfMonth, monthOf } from '../../src/domain/packed/month-sheets/index.ts';
import type { DeviceId } from '../../src/domain/tenancy.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { connectAccount } from '../../src/features/clouds/provider-accounts/index.ts';
import {
  FIRST_WEBHOOK_VERSION,
  listAppsById,
  verificationTokenOf,
} from '../../src/features/clouds/provider-apps/index.ts';
import { processWaiting } from '../../src/features/clouds/provider-webhooks/start-webhook-reader.ts';
import { claimDevices } from '../../src/features/clouds/sync/device-store.ts';
import { beginBackfill } from '../../src/features/clouds/sync/index.ts';
import { runDevice } from '../../src/features/clouds/sync/schedule/run-device.ts';
import { loadDailySheets } from '../../src/features/store/daily-store/index.ts';
import { connectCloudSource, type SourceDevice } from '../../src/features/store/devices/index.ts';
import { changeUser, type UserHandle } from '../../src/features/tenancy/user-core/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { createOutbound } from '../../src/platform/outbound/index.ts';
import type { Services } from '../../src/platform/services.ts';
import type { CloudProvider, TokenSet } from '../../src/providers/contract.ts';
import { CLOUD_PROVIDERS } from '../../src/providers/registry.ts';
import type { Ending } from './ending.ts';
import { type StubCloud, startStubCloud } from './stub-cloud.ts';
import { createFrozenClock, type TestClock } from './test-clock.ts';
import { createTestUser } from './test-samples.ts';
import { startTestService, type TestService } from './test-service.ts';

export const APP = 'sandbox';

export type Connected = {
  readonly user: UserHandle;
  readonly device: SourceDevice;
  readonly providerUserId: string;
};

export type TestCloud = {
  readonly service: TestService;
  readonly services: Services;
  readonly stub: StubCloud;
  readonly clock: TestClock;
  readonly logLines: string[];
  connect(provider: string, options?: ConnectOptions): Promise<Connected>;
  reconnect(connected: Connected): Promise<void>;
  /** Runs every due device until none is due, of one provider or of all. Returns the number of sync runs. */
  runDue(only?: CloudProvider): Promise<number>;
  processWebhooks(): Promise<number>;
  /** The webhook URL registered with the provider. */
  webhookUrl(provider: string): Promise<string>;
  /** Sends a webhook to that URL with the raw body. */
  notify(provider: string, options: NotifyOptions): Promise<Response>;
  query<Row extends Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
};

type ConnectOptions = {
  readonly timezone?: string;
  readonly tokens?: Partial<TokenSet>;
  readonly providerUserId?: string;
};
type NotifyOptions = {
  readonly body?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly secret?: string;
  readonly app?: string;
};

const NOW = new Date('2026-03-01T12:00:00Z');
const MAX_RUNS = 500;

/** `reach`: the URL of the clouds, if not the stub. */
export async function openTestCloud(
  t: Ending,
  environment: Record<string, string> = {},
  reach: (services: Services, stub: StubCloud) => Services = (services, { url }) => atStub(services, url),
): Promise<TestCloud> {
  const clock = createFrozenClock(NOW);
  const stub = await startStubCloud();
  const logLines: string[] = [];
  const service = await startTestService({ role: 'api', clock, logLines, environment });
  const services = reach(service.running.services, stub);
  t.after(async () => {
    await services.ownOutbound.close();
    await service.stop();
    await stub.close();
  });
  stub.answer('/oura/oauth/token', { json: { access_token: 'fresh', refresh_token: 'next', expires_in: 3_600 } });
  const { db } = services;
  const connect = async (user: UserHandle, deviceId: DeviceId, provider: string, options: ConnectOptions) => {
    const providerUserId = options.providerUserId ?? `person-${user.userId}`;
    const tokens = {
      accessToken: 'good',
      refreshToken: 'first',
      expiresInSeconds: 86_400 * 30,
      providerUserId: null,
      scopes: null,
      ...options.tokens,
    };
    await changeUser(services, user.tenant, user.userId, async (tx, locked) => {
      if (locked === null) throw new Error('user not found');
      await connectAccount(services, tx, locked.handle, { deviceId, provider, appId: APP, providerUserId }, tokens);
      await tx.query(`update devices set status = 'active' where id = $1`, [deviceId]);
      await beginBackfill(services, tx, locked.handle, deviceId);
    });
    return providerUserId;
  };
  const pathOf = async (provider: string, { app = APP, secret }: NotifyOptions = {}) => {
    const [opened] = await listAppsById(services, provider, APP);
    if (opened === undefined) throw new Error('application not found');
    return `/provider-webhooks/${provider}/${app}/${secret ?? verificationTokenOf(services, opened, FIRST_WEBHOOK_VERSION)}`;
  };
  return {
    service,
    services,
    stub,
    clock,
    logLines,
    async connect(provider, options = {}) {
      const user = await createTestUser(db, options.timezone ?? 'Europe/Berlin');
      const device = await db.transaction((tx) =>
        connectCloudSource(
          tx,
          user,
          {
            source: { provider, id: null, name: null, model: null, deviceClass: null, osVersion: null },
            identity: `${provider} ${newId()}`,
          },
          clock.now(),
        ),
      );
      return { user, device, providerUserId: await connect(user, device.id, provider, options) };
    },
    reconnect: async ({ user, device, providerUserId }) =>
      void (await connect(user, device.id, device.provider, { providerUserId })),
    runDue: (only) => runDue(services, only === undefined ? CLOUD_PROVIDERS : [only]),
    processWebhooks: () => processWaiting(services),
    webhookUrl: async (provider) => service.url + (await pathOf(provider)),
    async notify(provider, options) {
      const { body, method = 'POST', headers = {}, query = '' } = options;
      const url = service.url + (await pathOf(provider, options)) + query;
      return fetch(url, { method, headers, ...(body !== undefined && { body }) });
    },
    query: (sql, values) => db.query(sql, values),
  };
}

/** Services that reach the clouds at a stub. */
export function atStub(services: Services, url: string): Services {
  return {
    ...services,
    ownOutbound: createOutbound({ allowLoopback: true }),
    settings: { ...services.settings, simulator: () => ({ pages: url, api: url }) },
  };
}

async function runDue(services: Services, providers: readonly CloudProvider[]): Promise<number> {
  for (let runs = 0; runs < MAX_RUNS; ) {
    const now = services.clock.now();
    const until = new Date(now.getTime() + MINUTE_MS);
    const claimed = await Promise.all(
      providers.map(({ id: provider }) => claimDevices(services.db, { provider, now, until, limit: 10 }, true)),
    );
    const devices = claimed.flat();
    if (devices.length === 0) return runs;
    for (const device of devices) await runDevice(services, device);
    runs += devices.length;
  }
  throw new Error('the sync runs did not end');
}

/** The canonical values of a day, by metric. */
export async function readDaily(cloud: TestCloud, { user }: Connected, text: string): Promise<Record<string, number>> {
  const date = text as LocalDate;
  const sheets = await cloud.services.db.transaction((tx) => loadDailySheets(tx, user, [monthOf(date)]));
  const sheet = sheets.get(monthOf(date));
  const reported = (sheet?.metrics() ?? []).flatMap((number) => {
    const value = sheet?.get(number, dayOfMonth(date))?.value;
    return value === undefined ? [] : [[String(metricIdOf(number)), value] as const];
  });
  return Object.fromEntries(reported);
}
