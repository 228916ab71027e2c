// In whatever order the pages of an account come, they add up to the same. Lives of simulated people, read by every resource.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { samplesOfColumns } from '../../src/domain/sample-blocks/index.ts';
import { makeBatch } from '../../src/features/sync/make-batch.ts';
import { splitSpan, toFetchWindow } from '../../src/features/sync/plan-windows.ts';
import type { CloudProvider } from '../../src/providers/contract.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';
import { CLOUD_PROVIDERS } from '../../src/providers/registry.ts';
import { connectSimulated, SIMULATED_ZONE, windowOfDays } from '../support/simulated-connection.ts';
import { backfill, daysBefore, startGarmin } from '../support/simulated-garmin.ts';
import { startSimulator } from '../support/start-simulator.ts';

const DAYS = 14;
const ACCOUNTS = ['ann', 'bob'];

for (const provider of CLOUD_PROVIDERS) {
  describe(`pages of ${provider.displayName}`, () => {
    for (const account of ACCOUNTS)
      it(`add up to the same life of ${account}, whichever comes first`, async (t) => {
        const pages = await (provider.id === 'garmin' ? readPushed(account) : readPages(t, provider, account));
        const told = pages.filter(({ samples, daily }) => samples.size + daily.length > 0);
        assert.ok(told.length > 1, `${told.length} pages`);
        const inOrder = addUp(pages);
        assert.deepEqual(addUp(pages.toReversed()), inOrder);
        const [odd, even] = [pages.filter((_, index) => index % 2 === 1), pages.filter((_, index) => index % 2 === 0)];
        assert.deepEqual(addUp([...odd, ...even, ...odd]), inOrder);
      });
  });
}

async function readPages(t: TestContext, provider: CloudProvider, account: string): Promise<ProviderRecords[]> {
  const simulator = await startSimulator();
  t.after(() => simulator.close());
  const connection = await connectSimulated(simulator, provider, { decision: 'allow', account });
  const span = windowOfDays(simulator.clock.now(), DAYS);
  const pages: ProviderRecords[] = [];
  for (const resource of provider.resources.filter(({ isFollowUp }) => isFollowUp !== true))
    for (const window of splitSpan(SIMULATED_ZONE, span, resource.windowDays))
      pages.push(...(await connection.read(resource, toFetchWindow(SIMULATED_ZONE, window))));
  return pages;
}

/** Garmin is asked, and sends. */
async function readPushed(account: string): Promise<ProviderRecords[]> {
  const { started, ask, take } = await startGarmin({ decision: 'allow', account });
  for (const kind of backfill.kinds) {
    const answer = await ask(kind, daysBefore(started.clock.now().getTime(), DAYS));
    assert.equal(answer.status, 202, kind);
  }
  return (await take()).map(({ records }) => records);
}

/** As the pipeline gets it. */
function addUp(pages: readonly ProviderRecords[]) {
  const { batch } = makeBatch(pages, { now: new Date('2026-03-31T00:00:00Z') });
  const byName = <One>(name: (one: One) => string, all: readonly One[]) =>
    new Map(all.map((one) => [name(one), one] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    samples: new Map([...batch.samples].map(([metric, columns]) => [metric, samplesOfColumns(columns)])),
    daily: byName(({ metric, date }) => `${metric} ${date}`, batch.daily),
    sleep: byName(({ key }) => key, batch.sleep),
    workouts: byName(({ key }) => key, batch.workouts),
  };
}
