// The service with its real rate limits, an attacking account that has a user with one year of data, and an account that reads.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AccountId, UserId } from '../../src/domain/tenancy.ts';
import { RATE_POLICIES } from '../../src/platform/http/rate-limit.ts';
import { createYear } from '../rebuild/create-years.ts';
import { answerParent } from '../support/bench-child.ts';
import { type AccountKeys, type BenchService, startBenchService } from '../support/bench-service.ts';
import { createUsers, openSessions } from '../support/create-users.ts';
import type { AttackTarget } from './attack.ts';

export type HostileFacts = {
  readonly target: AttackTarget;
  readonly reader: { readonly key: string; readonly userId: string };
  readonly accounts: readonly AccountKeys[];
  readonly databaseVersion: string;
};

const PHONES = 50; // with two parallel uploads each, the maximum of a session: a hundred at once
const RESOLUTION_MS = 5;
const stalls = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
let service: BenchService | undefined;

/** The longest round of the event loop, in CPU time, which other programs on the machine do not increase. */
let longestSliceMs = 0;
let lastMs = readCpuMs();

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Measurements of the service during an attack. */
export type Watched = {
  readonly stallMs: number;
  readonly cpuMs: number;
  readonly restMb: number;
  readonly peakMb: number;
};

const LOOK_MS = 10;
let restMb = 0;
let peakMb = 0;

function readRssMb(): number {
  return process.memoryUsage.rss() / 1_048_576;
}

function observeSlices(): void {
  const nowMs = readCpuMs();
  longestSliceMs = Math.max(longestSliceMs, nowMs - lastMs);
  lastMs = nowMs;
  setTimeout(observeSlices, 0);
}

answerParent(
  {
    async start(): Promise<HostileFacts> {
      service = await startBenchService(undefined, { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' }, RATE_POLICIES);
      const attacker = await service.createAccount('attacker');
      const second = await service.createAccount('second attacker');
      const create = (key: string) =>
        service?.call<{ data: { id: string } }>('POST', '/v1/users', { reference_id: 'one' }, key);
      const userId = (await create(attacker.live))?.data.id ?? '';
      await create(second.live);
      const [owner] = await service.db.query<{ accountId: AccountId }>(
        'select account_id as "accountId" from users where id = $1',
        [userId],
      );
      if (owner === undefined) throw new Error('the user was not created');
      const tenant = { accountId: owner.accountId, environment: 'live' as const };
      await createYear(service.db, { tenant, userIds: [userId as UserId] }, 0);
      const phones = await createUsers(service, PHONES, { key: attacker.live });
      const sdkTokens = await openSessions(service, phones, attacker.live);
      const readerKey = service.facts.key;
      stalls.enable();
      observeSlices();
      setInterval(() => {
        peakMb = Math.max(peakMb, readRssMb());
      }, LOOK_MS).unref();
      return {
        target: { url: service.facts.url, liveKey: attacker.live, sandboxKey: attacker.sandbox, userId, sdkTokens },
        reader: { key: readerKey, userId: (await create(readerKey))?.data.id ?? '' },
        accounts: [attacker, second],
        databaseVersion: service.facts.databaseVersion,
      };
    },
    startWatching(): void {
      stalls.reset();
      longestSliceMs = 0;
      restMb = readRssMb();
      peakMb = restMb;
    },
    readWatched: (): Watched => ({
      stallMs: Math.max(0, stalls.max / 1e6 - RESOLUTION_MS),
      cpuMs: longestSliceMs,
      restMb,
      peakMb,
    }),
  },
  async () => service?.stop(),
);
