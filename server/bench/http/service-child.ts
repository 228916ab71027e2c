// The service as it is shipped, on an embedded PostgreSQL in a temporary folder. Only the quota of the rate limit is
// raised, so that the limiter does its work on every request and refuses none.
import { rm } from 'node:fs/promises';
import { loadConfig } from '../../src/config.ts';
import { RATE_POLICIES } from '../../src/platform/http/rate-limit.ts';
import { createLogger } from '../../src/platform/log.ts';
import { callLoopback } from '../../src/platform/loopback-client.ts';
import { type RunningService, startService } from '../../src/start-service.ts';
import { answerParent } from '../support/bench-child.ts';
import { makeDataFolder } from '../support/make-data-folder.ts';

export type ServiceFacts = {
  readonly url: string;
  readonly key: string;
  readonly userIds: readonly string[];
  readonly databaseVersion: string;
  readonly pool: { host: string; port: number; user: string; database: string; max: number };
};

const UNREACHABLE = { perSecond: 1_000_000, burst: 1_000_000 };
const PARALLEL_CREATIONS = 16;

const dataDir = await makeDataFolder();
let service: RunningService | undefined;

answerParent(
  {
    async start({ users }: { users: number }): Promise<ServiceFacts> {
      service = await startService({
        config: loadConfig({ PORT: '0', TRIBUTARY_DATA_DIR: dataDir }),
        role: 'all',
        log: createLogger('silent'),
        say: () => undefined,
        ratePolicies: { ...RATE_POLICIES, api_key: UNREACHABLE },
      });
      const key = service.newKeys.find(({ environment }) => environment === 'live')?.key ?? '';
      const userIds = await createUsers(service.publicUrl, key, users);
      const { host, port, user, database, max } = service.services.db.pool().options as unknown as ServiceFacts['pool'];
      const pool = { host, port, user, database, max };
      return { url: service.publicUrl, key, userIds, databaseVersion: service.databaseVersion, pool };
    },
  },
  async () => {
    await service?.stop();
    await rm(dataDir, { recursive: true, force: true });
  },
);

async function createUsers(url: string, key: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  const createOne = async (index: number) => {
    const body = {
      reference_id: `person-${index}`,
      timezone: 'Europe/Berlin',
      profile: { birth_date: '1990-04-01', sex: 'female', height_cm: 172, weight_kg: 64.5 },
      metadata: { cohort: 'spring', site: 'berlin' },
    };
    const answer = await callLoopback(`${url}/v1/users`, { method: 'POST', token: key, body });
    if (answer.status !== 201) throw new Error(`creating a user answered ${answer.status}`);
    ids[index] = (answer.body as { data: { id: string } }).data.id;
  };
  let next = 0;
  const worker = async () => {
    while (next < count) await createOne(next++);
  };
  await Promise.all(Array.from({ length: PARALLEL_CREATIONS }, worker));
  return ids;
}
