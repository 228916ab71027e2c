// Reads everything that a provider reports about a simulated user, by every resource, page by page.
import assert from 'node:assert/strict';
import { samplesOfColumns } from '../../src/domain/packed/sample-blocks/index.ts';
import { makeBatch } from '../../src/features/clouds/sync/commit/make-batch.ts';
import { splitInterval, toFetchWindow } from '../../src/features/clouds/sync/plan/plan-windows.ts';
import type { CloudProvider, FetchInterval } from '../../src/providers/contract.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';
import { connectSimulated, SIMULATED_ZONE } from './simulated-connection.ts';
import { backfill, startGarmin } from './simulated-garmin.ts';
import { startSimulator } from './start-simulator.ts';
import type { TestClock } from './test-clock.ts';

type ReadAccount = {
  readonly clock: TestClock;
  read(span: FetchInterval): Promise<ProviderRecords[]>;
};

export function openAccount(
  t: { after(end: () => Promise<void>): void },
  provider: CloudProvider,
  account: string,
): Promise<ReadAccount> {
  return provider.id === 'garmin' ? openPushed(account) : openBackfilled(t, provider, account);
}

async function openBackfilled(
  t: { after(end: () => Promise<void>): void },
  provider: CloudProvider,
  account: string,
): Promise<ReadAccount> {
  const simulator = await startSimulator();
  t.after(() => simulator.close());
  const connection = await connectSimulated(simulator, provider, { decision: 'allow', account });
  return {
    clock: simulator.clock,
    async read(span) {
      if (provider.oauth.refreshRequest !== null) await connection.refresh();
      const pages: ProviderRecords[] = [];
      for (const resource of provider.resources.filter(({ isFollowUp }) => isFollowUp !== true))
        for (const window of splitInterval(SIMULATED_ZONE, span, resource.windowDays))
          pages.push(...(await connection.read(resource, toFetchWindow(SIMULATED_ZONE, window))));
      return pages;
    },
  };
}

/** Garmin pushes on request, and accepts only one request for the same time. */
async function openPushed(account: string): Promise<ReadAccount> {
  const { started, connection, ask: request, take } = await startGarmin({ decision: 'allow', account });
  let requested = 0;
  return {
    clock: started.clock,
    async read(span) {
      await connection.refresh();
      await take(); // pushed data
      const window = toFetchWindow(SIMULATED_ZONE, { ...span, from: span.from - requested * 1_000 });
      requested += 1;
      for (const kind of backfill.kinds) assert.equal((await request(kind, window)).status, 202, kind);
      return (await take()).map(({ records }) => records);
    },
  };
}

/** Like the pipeline: each record by its identity. `within` keeps only records that begin there. */
export function addUp(
  pages: readonly ProviderRecords[],
  now: Date,
  within: FetchInterval = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY },
): Map<string, string> {
  const { batch } = makeBatch(pages, { now });
  const whole = new Map<string, string>();
  const put = (name: string, start: number, record: unknown) => {
    if (start >= within.from && start < within.to) whole.set(name, JSON.stringify(record));
  };
  for (const [metric, columns] of batch.samples)
    for (const sample of samplesOfColumns(columns)) put(`${metric} at ${sample.start}`, sample.start, sample);
  for (const one of batch.daily) put(`${one.metric} of ${one.date}`, Date.parse(one.date), one);
  for (const one of batch.sleep) put(`sleep ${one.key}`, one.start, one);
  for (const one of batch.workouts) put(`workout ${one.key}`, one.start, one);
  return whole;
}
