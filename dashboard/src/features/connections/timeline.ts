// The line of time of a connection: what happened, newest first, and what comes next. Pure.
import { DAY_MS } from '../../shared/time/durations.ts';
import { clock, clockSeconds, day, shortDate, until } from '../../shared/time/format-time.ts';
import { providerName } from '../../shared/user/devices.ts';
import type { Connection, SyncRun } from './queries.ts';
import { nameMetrics, words } from './words.ts';

type Point = {
  readonly key: string;
  /** Null: of no certain time. */
  readonly at: string | null;
  readonly tone: 'good' | 'warn' | 'bad' | 'plain' | 'next';
  readonly title: string;
  readonly note: string | null;
};

export function buildTimeline(
  connection: Connection,
  nowMs: number,
  zone: string,
  older: readonly SyncRun[] = [],
): Point[] {
  const known = new Set(connection.log.map(({ id }) => id));
  const runs = [...connection.log, ...older.filter(({ id }) => !known.has(id))];
  const past = [
    ...runs.map((run) => describeRun(run, connection, nowMs, zone)),
    ...listEvents(connection, runs),
    ...listLinkSteps(connection),
  ].toSorted((a, b) => Date.parse(b.at ?? '') - Date.parse(a.at ?? ''));
  const next = describeNext(connection, nowMs);
  return next === null ? past : [next, ...past];
}

function describeNext({ status, link, backoff, poll }: Connection, nowMs: number): Point | null {
  const point = (at: string, title: string, note: string | null): Point => ({
    key: 'next',
    at,
    tone: 'next',
    title,
    note,
  });
  if (status === 'pending' && link.expires_at !== null && Date.parse(link.expires_at) > nowMs)
    return point(link.expires_at, words.linkEnds(until(link.expires_at, nowMs)), words.linkEndsNote);
  if (status !== 'active') return null;
  if (backoff.until !== null && Date.parse(backoff.until) > nowMs)
    return point(backoff.until, words.nextTry(until(backoff.until, nowMs)), null);
  if (poll.next_at !== null) return point(poll.next_at, words.nextPoll(until(poll.next_at, nowMs)), words.nextPollNote);
  return null;
}

function describeRun(run: SyncRun, connection: Connection, nowMs: number, zone: string): Point {
  const { id, at, outcome, records, refused, metrics, days, kind, runs } = run;
  const dropped = refused === 0 ? [] : [words.dropped(refused)];
  const changed =
    records === 0
      ? []
      : [[nameMetrics(metrics), days.from && days.to && words.days(shortDate(days.from), shortDate(days.to))]]
          .flat()
          .filter((part) => part !== '' && part !== null);
  const facts = [...changed, ...dropped].join(' · ');
  if (outcome === 'unchanged') return { key: id, at, tone: 'plain', title: words.nothingNew(runs, kind), note: null };
  if (outcome === 'changed') return { key: id, at, tone: 'plain', title: words.newData, note: facts || null };
  const { title, note } = describeFailure(run, connection, nowMs, zone);
  return {
    key: id,
    at,
    tone: TONES[outcome],
    title,
    note: facts === '' ? note : `${note} ${words.newData}: ${facts}.`,
  };
}

type Failed = Exclude<SyncRun['outcome'], 'changed' | 'unchanged'>;

const TONES: Readonly<Record<Failed, Point['tone']>> = {
  no_budget: 'plain',
  rate_limited: 'warn',
  unavailable: 'warn',
  unauthorized: 'warn',
  wrong: 'warn',
  forbidden: 'warn',
  parked: 'bad',
  refused: 'bad',
};

function describeFailure(run: SyncRun, connection: Connection, nowMs: number, zone: string) {
  const provider = connection.provider_name ?? providerName(connection.provider);
  const retry = run.retry_at === null ? '–' : describeTime(run.retry_at, nowMs, zone);
  switch (run.outcome) {
    case 'rate_limited':
      return words.failures.rate_limited(provider, retry);
    case 'no_budget':
      return words.failures.no_budget(provider, retry);
    case 'unavailable':
      return words.failures.unavailable(provider, retry, run.http_status);
    case 'unauthorized':
      return words.failures.unauthorized(provider, retry);
    case 'forbidden':
      return words.failures.forbidden(provider, run.cause);
    case 'wrong':
      return words.failures.wrong(provider, retry, run.cause);
    case 'parked':
      return words.failures.parked(provider, run.cause);
    default:
      return words.failures.refused(provider);
  }
}

/** Seconds today, the day before that. */
export function describeTime(at: string, nowMs: number, zone: string): string {
  const isFar = Math.abs(Date.parse(at) - nowMs) >= DAY_MS || day(at, zone) !== day(nowMs, zone);
  return isFar ? `${day(at, zone)}, ${clock(at, zone)}` : clockSeconds(at, zone);
}

const TITLES: Readonly<Record<string, Pick<Point, 'tone' | 'title'>>> = {
  'device.connected': { tone: 'good', title: words.connected },
  'device.failed': { tone: 'bad', title: words.disconnected },
  'device.backfilled': { tone: 'good', title: words.backfilled },
  'data.updated': { tone: 'plain', title: words.newData },
};

/** Sync runs say more than the events of the same data. */
function listEvents({ events, backfill, connected_at }: Connection, runs: readonly SyncRun[]): Point[] {
  const oldestRun = runs.at(-1)?.at ?? null;
  const shown = events.filter(({ type, at }) => type !== 'data.updated' || oldestRun === null || at < oldestRun);
  const points = shown.map(({ id, type, at, metrics, from_date, to_date }): Point => {
    const days = from_date && to_date ? words.days(shortDate(from_date), shortDate(to_date)) : null;
    const data = [nameMetrics(metrics), days].filter(Boolean).join(' · ');
    const history = backfill.from_date === null ? null : words.fromDate(shortDate(backfill.from_date));
    const note = type === 'data.updated' ? data : type === 'device.backfilled' ? history : null;
    return { key: id, at, tone: 'plain', title: type, ...TITLES[type], note };
  });
  const isConnectedShown = shown.some(({ type }) => type === 'device.connected');
  if (connected_at === null || isConnectedShown) return points;
  return [...points, { key: 'connected', at: connected_at, tone: 'good', title: words.connected, note: null }];
}

/** Only while they matter: until the device is connected. */
function listLinkSteps({ link, status }: Connection): Point[] {
  const steps: [string, string | null, string][] = [
    ['created', link.created_at, words.linkCreated],
    ['opened', link.opened_at, words.linkOpened],
    ['decided', link.decided_at, words.linkDecided],
  ];
  const tone = status === 'failed' || status === 'expired' ? 'warn' : 'plain';
  return steps.flatMap(([key, at, title]) => (at === null ? [] : [{ key, at, tone, title, note: null }]));
}
