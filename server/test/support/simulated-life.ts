// The life behind a simulated account, to hold against what was read of it.
import assert from 'node:assert/strict';
import { addDays, type LocalDate } from '../../src/domain/calendar.ts';
import type { CloudProviderId } from '../../src/domain/cloud-provider-ids.ts';
import { createZone } from '../../src/domain/day.ts';
import type { MetricId } from '../../src/domain/metrics/index.ts';
import {
  createDraw,
  type DeviceRecords,
  drawPerson,
  isWithin,
  type LivedDay,
  listWatchGaps,
  liveDay,
  momentAt,
  ORDINARY_DAY,
  recordDays,
  seeWorkoutsWithWatch,
} from '../../src/domain/sandbox/index.ts';
import type { CloudProvider, Resource, WebhookRule } from '../../src/providers/contract.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';
import type { NoticeReceiver } from './notice-receiver.ts';
import { SIMULATED_ZONE } from './simulated-connection.ts';
import { listTold } from './told-samples.ts';

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
  return pages.flatMap((page) => listTold(page, metric));
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

/** What the band, ring or watch of a provider's person saw: the ring is Oura's and WHOOP's. */
function seenOn(provider: CloudProviderId, account: string, date: LocalDate): DeviceRecords {
  return recordDays(provider === 'oura' || provider === 'whoop' ? 'ring' : 'watch', [livedOn(account, date)]);
}

/** Of a day that is over. Oura's begins at four and knows no gaps; Polar's counts what the watch was worn for. */
export function stepsSeenBy(provider: CloudProviderId, account: string, date: LocalDate): number {
  if (provider === 'oura') {
    const next = addDays(date, 1);
    const [from, to] = [momentAt(simulatedZone, date, 240), momentAt(simulatedZone, next, 240)];
    const days = [livedOn(account, date), livedOn(account, next)];
    return sum(days.map((day) => walked(day, (ms) => ms >= from && ms < to)));
  }
  const lived = livedOn(account, date);
  const gaps = listWatchGaps(lived);
  if (provider === 'polar') return walked(lived, (ms) => !isWithin(gaps, ms));
  return sum(recordDays('watch', [lived]).samples.get('steps' as MetricId)?.values ?? assert.fail('no steps'));
}

function walked({ fromMs, steps }: LivedDay, isCounted: (ms: number) => boolean): number {
  return sum(Array.from(steps, (count, minute) => (isCounted(fromMs + minute * 60_000) ? count : 0)));
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}

/** Those that end on the date, as the API writes them. */
export function nightsSeenBy(provider: CloudProviderId, account: string, date: LocalDate) {
  const nights = seenOn(provider, account, date).sleep.filter(({ key }) => key.startsWith('night'));
  return nights.map(({ start, end, stages }) => {
    const minutes = (...wanted: readonly string[]) =>
      (stages ?? []).reduce((sum, one) => sum + (wanted.includes(one.stage) ? one.end - one.start : 0), 0) / 60_000;
    return {
      start: writeInstant(start),
      end: writeInstant(end),
      asleepMinutes: minutes('light', 'deep', 'rem'),
      deepMinutes: minutes('deep'),
    };
  });
}

/** Those that are over, as the API writes them. */
export function workoutsSeenBy(account: string, date: LocalDate, now: Date) {
  const workouts = seeWorkoutsWithWatch(livedOn(account, date)).filter(({ end }) => end <= now.getTime());
  return workouts.map(({ start, end }) => ({ start: writeInstant(start), end: writeInstant(end) }));
}

function writeInstant(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
