// Everything that a page leads to, value by value: stored values and follow-up requests.
import { makeBatch } from '../../src/features/clouds/sync/commit/make-batch.ts';
import type { CloudProvider } from '../../src/providers/contract.ts';
import { type FixturePage, mapPage } from './provider-fixture.ts';
import { listReported } from './reported-samples.ts';

/** By the identity of a value within its record; the values as JSON. Nulls are omitted. */
export type PageOutcome = ReadonlyMap<string, string>;

const NOW = new Date('2026-12-01T00:00:00Z');
const ACCOUNT = { providerUserId: 'a', accessToken: 'a', refreshToken: null };

export function readOutcome(provider: CloudProvider, page: FixturePage): PageOutcome {
  const { batch } = makeBatch([mapPage(provider, page)], { now: NOW });
  const outcome = new Map<string, string>();
  const add = (key: string, parts: object) => {
    for (const [name, value] of Object.entries(parts))
      if (value !== null) outcome.set(`${key} ${name}`, JSON.stringify(value));
  };
  for (const metric of batch.samples.keys())
    for (const { start, ...sample } of listReported(batch, metric)) add(`${metric} ${start}`, sample);
  for (const { metric, date, ...value } of batch.daily) add(`${metric} ${date}`, value);
  for (const { key, ...sleep } of batch.sleep) add(`sleep ${key}`, sleep);
  for (const { key, heartRateSamples, ...workout } of batch.workouts) {
    add(`workout ${key}`, workout);
    for (const { time, bpm } of heartRateSamples ?? []) add(`workout ${key} ${time}`, { bpm });
  }
  for (const deletion of batch.deletions) add(JSON.stringify(deletion), { isDeleted: true });
  const followUps = provider.resources.find(({ name }) => name === page.resource)?.followUps?.(page.body, ACCOUNT);
  for (const { resource, request } of followUps ?? [])
    add(`${resource} ${JSON.stringify(request)}`, { isRequest: true });
  return outcome;
}
