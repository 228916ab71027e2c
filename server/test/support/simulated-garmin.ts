// The simulated Garmin with the real connector over HTTP: it requests history, accepts pushes, and follows links.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { EpochMs } from '../../src/domain/records/records.ts';
import type { DeviceRecords, LivedDay } from '../../src/domain/sandbox/index.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import type { FetchWindow, PushedBackfill, WebhookItem, WebhookSecrets } from '../../src/providers/contract.ts';
import { garmin } from '../../src/providers/garmin/index.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';
import * as lived from './lived-days.ts';
import { startWebhookReceiver } from './provider-webhook-receiver.ts';
import * as pages from './read-pages.ts';
import { connectSimulated, SIMULATED_ZONE, type SimulatedConnection } from './simulated-connection.ts';
import { startSimulator } from './start-simulator.ts';

const zone = lived.simulatedZone;
export const NAME = findAthlete();
/** Runs and rides. */
export const ANN = { decision: 'allow', account: NAME };
const SECRET = 'an-unguessable-part';
const { webhook } = garmin;
export const backfill: PushedBackfill = garmin.backfill ?? assert.fail();
assert.ok(webhook !== null);

export type Taken = { readonly kind: string; readonly records: ProviderRecords };

/** A simulator, a connected user, and the receiver of its webhooks. */
export async function startGarmin(form: Readonly<Record<string, string>> = ANN) {
  assert.ok(webhook !== null);
  let webhookUrl: string | null = null;
  const started = await startSimulator({ webhookUrlOf: () => webhookUrl });
  const secrets: WebhookSecrets = {
    ...started.simulator.clientOf('garmin'),
    verificationToken: SECRET,
    publicKeys: {},
  };
  const receiver = await startWebhookReceiver(webhook, secrets);
  webhookUrl = `${receiver.url}/garmin/${SECRET}`;
  after(() => Promise.all([started.close(), receiver.close()]));
  const connection = await connectSimulated(started, garmin, form);

  const readWebhookItems = () => {
    const requests = receiver.webhooks.splice(0);
    for (const one of requests) {
      assert.equal(webhook.verify(one, secrets, started.clock.now()), 'genuine');
      assert.equal(
        webhook.verify({ ...one, path: '/provider-webhooks/garmin/guessed' }, secrets, started.clock.now()),
        'forged',
      );
      assert.equal(webhook.verify(one, { ...secrets, clientId: 'another' }, started.clock.now()), 'forged');
    }
    return requests.flatMap(({ body }) => webhook.readWebhookItems(body));
  };
  return {
    started,
    receiver,
    connection,
    readWebhookItems: readWebhookItems,
    setWebhookUrl: (url: string | null) => {
      webhookUrl = url;
    },
    /** Everything sent since, as the connector reads it; links are followed. */
    async take(): Promise<Taken[]> {
      await started.simulator.tick();
      return Promise.all(
        readWebhookItems().flatMap((webhook) => ('resource' in webhook ? [follow(webhook, connection)] : [])),
      );
    },
    ask: (kind: string, window: FetchWindow) => connection.ask(backfill.request(kind, window)),
    month: () => daysBefore(started.clock.now().getTime(), 30),
  };
}

async function follow(
  webhook: WebhookItem & { readonly resource: string },
  connection: SimulatedConnection,
): Promise<Taken> {
  const found = garmin.pushed?.find(({ name }) => name === webhook.resource);
  assert.ok(found, webhook.resource);
  const context = { zone: SIMULATED_ZONE, window: null };
  if (webhook.kind === 'pushed') return { kind: webhook.resource, records: found.map(webhook.body, context) };
  assert.ok(webhook.kind === 'changed' && webhook.request);
  const answer = await connection.ask(webhook.request);
  assert.equal(answer.status, 200);
  return { kind: webhook.resource, records: found.map(answer.body, context) };
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
  return assert.fail('no user rides');
}

export const livedOn = (date: LocalDate): LivedDay => lived.livedOn(NAME, date);
export const watchOn = (date: LocalDate): DeviceRecords => lived.seenOn('watch', NAME, date);
export const dailyOf = (taken: readonly Taken[], metric: string, date: LocalDate) =>
  pages.dailyOf(recordsOf(taken), metric, date);
export const samplesOf = (taken: readonly Taken[], kind: string, metric: string) =>
  pages.samplesOf(recordsOf(taken.filter((one) => one.kind === kind)), metric);
const recordsOf = (taken: readonly Taken[]) => taken.map(({ records }) => records);
