// The life behind a simulated account, to hold against what was read of it.
import assert from 'node:assert/strict';
import { addDays, type LocalDate } from '../../src/domain/calendar.ts';
import { createZone } from '../../src/domain/day.ts';
import type { MetricId } from '../../src/domain/metrics/index.ts';
import { createDraw, drawPerson, type LivedDay, liveDay, ORDINARY_DAY } from '../../src/domain/sandbox/index.ts';
import type { CloudProvider, Resource, WebhookRule } from '../../src/providers/contract.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';
import type { NoticeReceiver } from './notice-receiver.ts';
import { SIMULATED_ZONE } from './simulated-connection.ts';

export const simulatedZone = createZone(SIMULATED_ZONE);

/** Of the account of that name. */
export function livedOn(account: string, date: LocalDate): LivedDay {
  const person = drawPerson(account, { sex: createDraw(account, 'sex').pick(['female', 'male'] as const) });
  return liveDay({ person, date, zone: simulatedZone, storyOf: () => ORDINARY_DAY });
}

/** The night that ends on the day after. */
export function nightAfter(account: string, now: Date): LivedDay['sleeps'][number] {
  const { date } = simulatedZone.dayAt(now.getTime());
  return livedOn(account, addDays(date, 1)).sleeps.find(({ kind }) => kind === 'night') ?? assert.fail('no night');
}

export function resourceOf({ resources }: CloudProvider, name: string): Resource {
  return resources.find((one) => one.name === name) ?? assert.fail(name);
}

export function dailyOf(pages: readonly ProviderRecords[], metric: string, date: LocalDate): number | undefined {
  const values = pages.flatMap(({ daily }) => [...daily]);
  return values.find((one) => one.metric === metric && one.date === date)?.value;
}

export function samplesOf(pages: readonly ProviderRecords[], metric: string) {
  return pages.flatMap(({ samples }) => [...(samples.get(metric as MetricId) ?? [])]);
}

export function metricsOf(pages: readonly ProviderRecords[]): string[] {
  const all = pages.flatMap(({ samples, daily }) => [...samples.keys(), ...daily.map(({ metric }) => metric)]);
  return [...new Set<string>(all)].sort();
}

/** What was received, by the resource that it names. */
export function noticesByResource(webhook: WebhookRule, { notices }: NoticeReceiver) {
  const all = notices.flatMap(({ body }) => webhook.readNotices(body));
  return Object.groupBy(all, (notice) => ('resource' in notice ? notice.resource : notice.kind));
}
