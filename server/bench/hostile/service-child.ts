// The service with its real rate limits, an attacker's account with a user of one year, and another account that reads.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AccountId, UserId } from '../../src/domain/tenancy.ts';
import { RATE_POLICIES } from '../../src/platform/http/rate-limit.ts';
import { createYear } from '../rebuild/create-years.ts';
import { answerParent } from '../support/bench-child.ts';
import { type AccountKeys, type BenchService, startBenchService } from '../support/bench-service.ts';
import type { AttackTarget } from './fair-shares.ts';

export type HostileFacts = {
  readonly target: AttackTarget;
  readonly reader: { readonly key: string; readonly userId: string };
  readonly accounts: readonly AccountKeys[];
  readonly databaseVersion: string;
};

const RESOLUTION_MS = 5;
const stalls = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
let service: BenchService | undefined;

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
      const readerKey = service.facts.key;
      stalls.enable();
      return {
        target: { url: service.facts.url, liveKey: attacker.live, sandboxKey: attacker.sandbox, userId },
        reader: { key: readerKey, userId: (await create(readerKey))?.data.id ?? '' },
        accounts: [attacker, second],
        databaseVersion: service.facts.databaseVersion,
      };
    },
    resetStalls: () => stalls.reset(),
    longestStallMs: () => stalls.max / 1e6 - RESOLUTION_MS,
  },
  async () => service?.stop(),
);
