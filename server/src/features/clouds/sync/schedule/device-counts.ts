// Caches how many devices are polled through an application: the number limits how often each is polled.
import { MINUTE_MS } from '../../../../domain/time/durations.ts';
import type { Services } from '../../../../platform/services.ts';
import type { ProviderApp } from '../../provider-apps/index.ts';
import { countPolled } from '../device-store.ts';

type Counts = { readonly byApp: Promise<ReadonlyMap<string, number>>; readonly untilMs: number };

/** Few enough devices connect in this time that no poll is much too early. */
const COUNTED_FOR_MS = 5 * MINUTE_MS;
const counted = new WeakMap<Services['db'], Counts>();

export async function countDevicesOfApp(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  app: ProviderApp,
): Promise<number> {
  const nowMs = clock.now().getTime();
  const known = counted.get(db);
  const counts = known !== undefined && known.untilMs > nowMs ? known : recount(db, nowMs);
  return (await counts.byApp).get(keyOf(app.provider.id, app.id)) ?? 0;
}

function recount(db: Services['db'], nowMs: number): Counts {
  const byApp = countPolled(db).then(
    (rows) => new Map(rows.map(({ provider, appId, count }) => [keyOf(provider, appId), count])),
  );
  byApp.catch(() => counted.delete(db));
  const counts = { byApp, untilMs: nowMs + COUNTED_FOR_MS };
  counted.set(db, counts);
  return counts;
}

function keyOf(provider: string, appId: string): string {
  return `${provider} ${appId}`;
}
