// A year of a user with a ring as Oura pages: heart rate per minute, days, nights with their series, workouts. Built once and
// served from memory, so that only the work after the network is measured.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import type { Outbound } from '../../src/platform/outbound/index.ts';
import { createRandom } from '../support/random.ts';

/** Oura does not document its page size; a quarter of a month. */
const HEART_RATES_A_PAGE = 10_800;

type Recorded = { readonly outbound: Outbound; readonly count: () => { requests: number; bytes: number } };

export function recordPages(now: Date): Recorded {
  const pages = new Map<string, Buffer>();
  let requests = 0;
  let bytes = 0;
  const request: Outbound['request'] = async (_method, text) => {
    const url = new URL(text);
    const key = `${url.pathname}${url.search}`;
    const body = pages.getOrInsertComputed(key, () => Buffer.from(JSON.stringify(answer(url, now))));
    requests += 1;
    bytes += body.length;
    return { ok: true, status: 200, headers: { 'content-type': 'application/json' }, body };
  };
  const outbound: Outbound = {
    request,
    post: (url, content) => request('POST', url, content),
    checkUrl: () => ({ ok: true, url: '' }),
    readLoad: () => ({ origins: 0, sockets: 0 }),
    close: async () => undefined,
  };
  return { outbound, count: () => ({ requests, bytes }) };
}

function answer({ pathname, searchParams }: URL, now: Date): object {
  const name = pathname.split('/').at(-1) ?? '';
  if (name === 'subscription') return [];
  if (name === 'heartrate') return heartRates(searchParams);
  const make = DOCUMENTS[name];
  if (make === undefined) return { data: [], next_token: null };
  const from = Date.parse(searchParams.get('start_date') ?? '');
  const to = Math.min(Date.parse(searchParams.get('end_date') ?? ''), now.getTime());
  const data = [];
  for (let at = from; at < to; at += DAY_MS) data.push(...make(at));
  return { data, next_token: null };
}

function heartRates(query: URLSearchParams): object {
  const from = Date.parse(query.get('start_datetime') ?? '');
  const to = Date.parse(query.get('end_datetime') ?? '');
  const first = Number(query.get('next_token') ?? 0);
  const total = Math.floor((to - from) / MINUTE_MS);
  const last = Math.min(total, first + HEART_RATES_A_PAGE);
  const random = createRandom(from / MINUTE_MS + first);
  const data = [];
  for (let index = first; index < last; index += 1) {
    const bpm = 55 + Math.floor(random() * 40);
    data.push({ bpm, source: 'awake', timestamp: new Date(from + index * MINUTE_MS).toISOString() });
  }
  return { data, next_token: last < total ? String(last) : null };
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const iso = (at: number) => new Date(at).toISOString();
const series = (at: number, low: number) => ({
  interval: 300,
  timestamp: iso(at),
  items: Array.from({ length: 96 }, (_, index) => low + ((index * 7) % 30)),
});

const DOCUMENTS: Readonly<Record<string, (at: number) => object[]>> = {
  daily_activity: (at) => [
    {
      id: `a-${at}`,
      day: dayOf(at),
      steps: 5_000 + ((at / DAY_MS) % 7_000),
      active_calories: 420,
      total_calories: 2_300,
      low_activity_time: 12_000,
      medium_activity_time: 2_400,
      high_activity_time: 600,
      sedentary_time: 30_000,
      average_met_minutes: 1.6,
      medium_activity_met_minutes: 90,
      high_activity_met_minutes: 40,
    },
  ],
  daily_readiness: (at) => [{ id: `r-${at}`, day: dayOf(at), temperature_deviation: 0.1 }],
  daily_stress: (at) => [{ id: `s-${at}`, day: dayOf(at), stress_high: 3_600, recovery_high: 5_400 }],
  daily_spo2: (at) => [
    { id: `o-${at}`, day: dayOf(at), spo2_percentage: { average: 97.2 }, breathing_disturbance_index: 3 },
  ],
  sleep: (at) => [
    {
      id: `n-${at}`,
      day: dayOf(at),
      type: 'long_sleep',
      bedtime_start: iso(at - HOUR_MS),
      bedtime_end: iso(at + 7 * HOUR_MS),
      total_sleep_duration: 25_860,
      deep_sleep_duration: 5_400,
      light_sleep_duration: 14_400,
      rem_sleep_duration: 6_060,
      awake_time: 1_860,
      time_in_bed: 28_800,
      average_heart_rate: 54.5,
      average_hrv: 48,
      average_breath: 14.25,
      lowest_heart_rate: 49,
      sleep_phase_5_min: '422211113322'.repeat(8),
      heart_rate: series(at - HOUR_MS, 50),
      hrv: series(at - HOUR_MS, 30),
    },
  ],
  workout: (at) =>
    (at / DAY_MS) % 2 === 0
      ? [
          {
            id: `w-${at}`,
            day: dayOf(at),
            activity: 'running',
            calories: 450,
            distance: 8_000,
            start_datetime: iso(at + 17 * HOUR_MS),
            end_datetime: iso(at + 18 * HOUR_MS),
          },
        ]
      : [],
};
