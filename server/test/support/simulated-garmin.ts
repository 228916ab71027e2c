// The simulated Garmin with the real connector on the other side of HTTP: it asks for history, takes what is pushed, and follows
// links.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { EpochMs } from '../../src/domain/records/records.ts';
import type { DeviceRecords, LivedDay } from '../../src/domain/sandbox/index.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import type { FetchWindow, Notice, NoticeSecrets, PushedBackfill } from '../../src/providers/contract.ts';
import { garmin } from '../../src/providers/garmin/index.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';
import * as lived from './lived-days.ts';
import { startNoticeReceiver } from './notice-receiver.ts';
import * as pages from './read-pages.ts';
import { connectSimulated, SIMULATED_ZONE, type SimulatedConnection } from './simulated-connection.ts';
import { startSimulator } from './start-simulator.ts';
import { DAY_MS } from './test-clock.ts';

const zone = lived.simulatedZone;
export const NAME = findAthlete();
/** Runs and rides. */
export const ANN = { decision: 'allow', account: NAME };
const SECRET = 'an-unguessable-part';
const { webhook } = garmin;
export const backfill: PushedBackfill = garmin.backfill ?? assert.fail();
assert.ok(webhook !== null);

export type Taken = { readonly kind: string; readonly records: ProviderRecords };

/** A simulator, somebody connected to it, and who is told of them. */
export async function startGarmin(form: Readonly<Record<string, string>> = ANN) {
  assert.ok(webhook !== null);
  let noticeUrl: string | null = null;
  const started = await startSimulator({ noticeUrlOf: () => noticeUrl });
  const secrets: NoticeSecrets = {
    ...started.simulator.clientOf('garmin'),
    verificationToken: SECRET,
    publicKeys: {},
  };
  const receiver = await startNoticeReceiver(webhook, secrets);
  noticeUrl = `${receiver.url}/garmin/${SECRET}`;
  after(() => Promise.all([started.close(), receiver.close()]));
  const connection = await connectSimulated(started, garmin, form);

  const readNotices = () => {
    const requests = receiver.notices.splice(0);
    for (const one of requests) {
      assert.equal(webhook.verify(one, secrets, started.clock.now()), 'genuine');
      assert.equal(
        webhook.verify({ ...one, path: '/provider-webhooks/garmin/guessed' }, secrets, started.clock.now()),
        'forged',
      );
      assert.equal(webhook.verify(one, { ...secrets, clientId: 'another' }, started.clock.now()), 'forged');
    }
    return requests.flatMap(({ body }) => webhook.readNotices(body));
  };
  return {
    started,
    receiver,
    connection,
    readNotices,
    setNoticeUrl: (url: string | null) => {
      noticeUrl = url;
    },
    /** All that was sent since, as the connector understands it; links are followed. */
    async take(): Promise<Taken[]> {
      await started.simulator.tick();
      return Promise.all(readNotices().flatMap((notice) => ('resource' in notice ? [follow(notice, connection)] : [])));
    },
    ask: (kind: string, window: FetchWindow) => connection.ask(backfill.request(kind, window)),
    month: () => daysBefore(started.clock.now().getTime(), 30),
  };
}

async function follow(notice: Notice & { readonly resource: string }, connection: SimulatedConnection): Promise<Taken> {
  const found = garmin.pushed?.find(({ name }) => name === notice.resource);
  assert.ok(found, notice.resource);
  const context = { zone: SIMULATED_ZONE, window: null };
  if (notice.kind === 'pushed') return { kind: notice.resource, records: found.map(notice.body, context) };
  assert.ok(notice.kind === 'changed' && notice.request);
  const answer = await connection.ask(notice.request);
  assert.equal(answer.status, 200);
  return { kind: notice.resource, records: found.map(answer.body, context) };
}

export function daysBefore(toMs: number, days: number): FetchWindow {
  const from = (toMs - days * DAY_MS) as EpochMs;
  const to = toMs as EpochMs;
  return { from, to, fromDate: zone.dayAt(from).date, toDate: zone.dayAt(to).date };
}

function findAthlete(): string {
  for (let index = 0; index < 200; index++) {
    const sports = Object.values(lived.personOf(`ann-${index}`).sports);
    if (sports.includes('running') && sports.includes('cycling')) return `ann-${index}`;
  }
  return assert.fail('nobody rides');
}

export const livedOn = (date: LocalDate): LivedDay => lived.livedOn(NAME, date);
export const watchOn = (date: LocalDate): DeviceRecords => lived.seenOn('watch', NAME, date);
export const dailyOf = (taken: readonly Taken[], metric: string, date: LocalDate) =>
  pages.dailyOf(recordsOf(taken), metric, date);
export const samplesOf = (taken: readonly Taken[], kind: string, metric: string) =>
  pages.samplesOf(recordsOf(taken.filter((one) => one.kind === kind)), metric);
const recordsOf = (taken: readonly Taken[]) => taken.map(({ records }) => records);
