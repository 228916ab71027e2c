// The whole service with its own simulated providers: users connect through the pages, over HTTP, and the operator API sets
// faults.
import assert from 'node:assert/strict';
import type { CloudProviderId } from '../../src/domain/provider-ids.ts';
import type { Fault } from '../../src/domain/sandbox/simulated-faults.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import { beginConnecting, readDevice, walkThroughConsent } from './connect-account.ts';
import { simulatedZone } from './lived-days.ts';
import { passArrival } from './pass-arrival.ts';
import { SIMULATED_ZONE } from './simulated-connection.ts';
import type { JsonBody, TestApi } from './test-api.ts';
import { createMovableClock, type TestClock } from './test-clock.ts';
import { startTestService, type TestService } from './test-service.ts';
import { createSandboxUser } from './test-users.ts';
import { waitUntil } from './wait-until.ts';

export type CloudUser = {
  readonly userId: string;
  readonly provider: CloudProviderId;
  readonly deviceId: string;
  /** The seed of the simulated life behind the account. */
  readonly account: string;
};

type SandboxClouds = {
  readonly service: TestService;
  readonly api: TestApi;
  readonly clock: TestClock;
  /** The current date in the zone of simulated users. */
  today(): LocalDate;
  /** Warnings and errors in the log. */
  listAlarms(): string[];
  /** A user without devices, in the zone of simulated users. The id is the seed of the simulated life, which differs per run. */
  createUser(isWanted?: (seed: string) => boolean): Promise<string>;
  /** From the API call to the last page. */
  connect(userId: string, provider: CloudProviderId): Promise<CloudUser>;
  /** Waits for the whole history, including data that the provider pushes. */
  awaitHistory(person: CloudUser): Promise<void>;
  /** Waits until everything that was pushed or is due has been committed, without waiting for the clock. */
  awaitRest(person: CloudUser): Promise<void>;
  /** The fault remains until the returned function is called. */
  fault(fault: Fault): Promise<() => Promise<void>>;
  /** Lets simulated providers push their news. Returns the number of accepted webhooks. */
  push(): Promise<number>;
  device(person: CloudUser): Promise<JsonBody>;
  /** Events of the feed, in order. */
  events(userId: string, type?: string): Promise<JsonBody[]>;
  /** Expects 200 and returns the body. */
  read(path: string, form?: '1' | '2'): Promise<JsonBody>;
};

/** In the afternoon: nobody is asleep, and every provider has processed the last night. */
const NOW = new Date('2026-03-10T14:05:00Z');
export const HISTORY_LIMIT_MS = 60_000;
const ALARMS = ['warn', 'error', 'fatal'];

export async function openSandboxClouds(
  days: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<SandboxClouds> {
  const clock = createMovableClock(NOW);
  const logLines: string[] = [];
  const service = await startTestService({
    clock,
    logLines,
    environment: { TRIBUTARY_BACKFILL_DAYS: String(days), TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1', ...environment },
  });
  const api = service.api(service.keys.sandbox);
  const operator = service.operator();
  const read = async (path: string, form: '1' | '2' = '1') => {
    const answer = await api.get(path, { headers: { 'api-form': form } });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    return answer.body;
  };
  const listAccounts = async (provider: string): Promise<string[]> => {
    const { data } = (await operator.get('/admin/simulator/accounts')).body;
    return data.filter((one: JsonBody) => one.provider === provider).map((one: JsonBody) => one.account);
  };
  const device = ({ userId, deviceId }: CloudUser) => readDevice(api, userId, deviceId);
  const push = async (): Promise<number> => (await operator.post('/admin/simulator/provider-webhooks')).body.taken;
  const { db } = service.running.services;
  const isEmpty = async (table: string, condition: string, ...values: string[]) =>
    (await db.query(`select 1 from ${table} where ${condition} limit 1`, values)).length === 0;
  const awaitRest = async ({ deviceId }: CloudUser) => {
    await waitUntil('webhooks are processed', () => isEmpty('provider_webhooks', 'true'), HISTORY_LIMIT_MS);
    await waitUntil('sync tasks are done', () => isEmpty('sync_tasks', 'device_id = $1', deviceId), HISTORY_LIMIT_MS);
    await waitUntil(
      'pending changes are emitted',
      () => isEmpty('pending_changes', 'device_id = $1', deviceId),
      HISTORY_LIMIT_MS,
    );
  };
  return {
    service,
    api,
    clock,
    today: () => simulatedZone.dayAt(clock.now().getTime()).date,
    listAlarms: () => logLines.filter((line) => ALARMS.includes(JSON.parse(line).level)),
    async createUser(isWanted = () => true) {
      for (;;) {
        const { id } = await createSandboxUser(service);
        if (!isWanted(id)) continue;
        assert.equal((await api.patch(`/v1/users/${id}`, { timezone: SIMULATED_ZONE })).status, 200);
        return id;
      }
    },
    async connect(userId, provider) {
      const known = await listAccounts(provider);
      const begun = await beginConnecting(api, userId, provider);
      const page = await walkThroughConsent(begun.auth_url);
      assert.match(page.text, /is connected/);
      const account = (await listAccounts(provider)).find((one) => !known.includes(one));
      return {
        userId,
        provider,
        deviceId: begun.id,
        account: account ?? assert.fail(`${provider} has no new account`),
      };
    },
    async awaitHistory(person) {
      const isDone = async () => {
        await passArrival(service.running.services, clock, person.deviceId);
        return (await device(person)).backfill.state === 'done';
      };
      await waitUntil('the history', isDone, HISTORY_LIMIT_MS);
      await push(); // everything pending has been sent by then
      await awaitRest(person);
    },
    awaitRest,
    async fault(fault) {
      const answer = await operator.post('/admin/simulator/faults', fault);
      assert.equal(answer.status, 201, answer.text);
      const { id } = answer.body;
      return async () => assert.equal((await operator.delete(`/admin/simulator/faults/${id}`)).status, 204);
    },
    push,
    device,
    events: async (userId, type) =>
      (await api.get(`/v1/events?user_id=${userId}&limit=1000${type === undefined ? '' : `&event_type=${type}`}`)).body
        .events,
    read,
  };
}
