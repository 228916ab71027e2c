// Maps the recorded pages of every connector: years of data per minute on one core, without requests and without storing.
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { parseJson } from '../../src/providers/parse-json.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';
import { CLOUD_PROVIDERS } from '../../src/providers/registry.ts';
import { mapPage } from '../../test/support/provider-fixture.ts';
import { PROVIDER_FIXTURES } from '../../test/support/provider-fixtures/index.gen.ts';
import { presentTable } from '../support/present-table.ts';

const DAYS_A_YEAR = 365;
const WARM_UP_MS = 200;

type Mapped = { readonly name: string; readonly days: number; readonly msPerPass: number };

export function benchMappings(msPerProvider: number, aim: number): string {
  const mapped = CLOUD_PROVIDERS.map((provider) => {
    const pages = (PROVIDER_FIXTURES[provider.id]?.pages ?? []).map((page) => ({
      ...page,
      text: page.body instanceof Uint8Array ? null : JSON.stringify(page.body),
    }));
    const pass = () =>
      pages.map((page) => mapPage(provider, page.text === null ? page : { ...page, body: parseJson(page.text) }));
    return { name: provider.displayName, days: countDays(pass()), msPerPass: measure(pass, msPerProvider) };
  });
  // Every provider has the same weight: the time for one year of each.
  const msOfAYear = mapped.map(yearMs);
  const overall = (mapped.length * MINUTE_MS) / msOfAYear.reduce((sum, ms) => sum + ms, 0);
  return presentTable(
    ['pages of the fixtures to records', 'days in them', 'ms/year', 'device-years/min', 'aim'],
    [
      ...mapped.map((one) => [one.name, String(one.days), yearMs(one).toFixed(1), perMinute(yearMs(one)), '']),
      ['all providers', '', '', Math.round(overall).toLocaleString('en'), `≥ ${aim}`],
    ],
  );
}

function measure(pass: () => unknown, forMs: number): number {
  for (const end = performance.now() + WARM_UP_MS; performance.now() < end; ) pass();
  const beganMs = performance.now();
  let passes = 0;
  for (; performance.now() - beganMs < forMs; passes += 1) pass();
  return (performance.now() - beganMs) / passes;
}

function yearMs({ days, msPerPass }: Mapped): number {
  return (msPerPass * DAYS_A_YEAR) / Math.max(1, days);
}

function perMinute(ms: number): string {
  return Math.round(MINUTE_MS / ms).toLocaleString('en');
}

/** Days with a record. */
function countDays(results: readonly ProviderRecords[]): number {
  const days = new Set<string>();
  const dayOf = (ms: number) => new Date(Math.floor(ms / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
  for (const { samples, daily, sleep, workouts } of results) {
    for (const { date } of daily) days.add(date);
    for (const { start } of [...sleep, ...workouts]) days.add(dayOf(start));
    for (const { starts } of samples.values()) for (const start of starts) days.add(dayOf(start));
  }
  return days.size;
}
