// The simulated Concept2 Logbook, read by the real connector over HTTP.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertEvery } from '../../../test/support/assert-every.ts';
import { lastDates, livedOn, todayAt } from '../../../test/support/lived-days.ts';
import { listenTo, startWebhookReceiver } from '../../../test/support/provider-webhook-receiver.ts';
import { connectSimulated, resourceOf, windowOfDays } from '../../../test/support/simulated-connection.ts';
import { startSimulator } from '../../../test/support/start-simulator.ts';
import { seeWorkoutsWithWatch } from '../../domain/sandbox/index.ts';
import { DAY_MS } from '../../domain/time/durations.ts';
import { concept2 } from '../../providers/concept2/index.ts';

/** Runs and cycles. */
const WHO = 'fay';
const DAYS = 28;
const SECRET = 'secret-of-the-path';
const webhook = concept2.webhook ?? assert.fail('no webhook');
let webhookUrl: string | null = null;
const simulator = await startSimulator({ webhookUrlOf: () => webhookUrl });
const secrets = { ...simulator.simulator.clientOf('concept2'), verificationToken: SECRET, publicKeys: {} };
const receiver = await startWebhookReceiver(webhook, secrets);
after(() => Promise.all([simulator.close(), receiver.close()]));
const connection = await connectSimulated(simulator, concept2, { decision: 'allow', account: WHO });
const { tickAndRead } = listenTo(simulator, webhook, receiver);

const readWorkouts = async (name: string, days: number) => {
  const pages = await connection.read(resourceOf(concept2, name), windowOfDays(simulator.clock.now(), days));
  return pages.flatMap(({ workouts }) => workouts).toSorted((a, b) => a.start - b.start);
};

describe('the simulated Logbook', () => {
  it('has every finished workout of a month, with its heart rates', async () => {
    const now = simulator.clock.now();
    const lived = lastDates(todayAt(now), DAYS)
      .flatMap((date) => seeWorkoutsWithWatch(livedOn(WHO, date)))
      .filter(({ end }) => end <= now.getTime())
      .toSorted((a, b) => a.start - b.start);
    const { from } = windowOfDays(now, DAYS); // the connector requests one more day on each side
    const workouts = (await readWorkouts('results', DAYS)).filter(({ start }) => start >= from);
    assert.deepEqual(
      workouts.map(({ start, end, offsetMinutes }) => ({ start, end, offsetMinutes })),
      lived.map(({ start, end, offsetMinutes }) => ({ start, end, offsetMinutes })),
    );
    assert.deepEqual(
      workouts.map(({ heartRateSamples }) => heartRateSamples),
      lived.map(({ heartRateSamples }) => heartRateSamples),
    );
    assertEvery(workouts, ({ distanceKm }) => (distanceKm ?? 0) > 0);
    assert.equal('refused' in (await connection.refresh()), false);
  });

  it('lists results that were uploaded since a time', async () => {
    const all = await readWorkouts('results', 8);
    const { from } = windowOfDays(simulator.clock.now(), 8);
    const updated = await readWorkouts('updated_results', 8);
    assert.deepEqual(
      updated.map(({ key }) => key),
      all.filter(({ end }) => end > from).map(({ key }) => key),
    );
  });

  it('pages by number', async () => {
    const get = (page: string) =>
      connection.ask({
        origin: 'api',
        method: 'GET',
        path: '/api/users/me/results',
        query: { number: '3', page },
        as: 'person',
      });
    const resource = resourceOf(concept2, 'results');
    const first = await get('1');
    assert.equal(resource.nextCursor(first.body), '2');
    const { meta } = first.body as { meta: { pagination: { total_pages: number } } };
    assert.equal(resource.nextCursor((await get(String(meta.pagination.total_pages))).body), null);
  });

  it('reports new, changed and deleted results, a deleted one without its user', async () => {
    webhookUrl = `${receiver.url}/${SECRET}`;
    await tickAndRead();
    const eventsNow = async () => {
      await tickAndRead();
      return receiver.webhooks.map(({ body }) => (JSON.parse(body.toString()) as { data: { type: string } }).data.type);
    };
    let added: string[] = [];
    for (let days = 0; days < 7 && !added.includes('result-added'); days++) {
      simulator.clock.advance(DAY_MS);
      await connection.refresh();
      added = await eventsNow();
    }
    const [item] = receiver.webhooks.flatMap(({ body }) => webhook.readWebhookItems(body));
    assert.ok(item?.kind === 'changed' && item.id !== null);
    assert.equal(item.providerUserId, connection.account.providerUserId);
    const [, withStrokes] = await connection.readOneWithMore(resourceOf(concept2, 'results'), item.id);
    assert.deepEqual(
      withStrokes?.workouts.map(({ key }) => key),
      [item.id],
    );

    const heal = simulator.fault({ kind: 'changed_record', provider: 'concept2', record: 'workout' });
    assert.deepEqual((await eventsNow()).slice(-1), ['result-updated']);
    heal();
    await eventsNow();
    simulator.fault({ kind: 'deleted_record', provider: 'concept2', record: 'workout' });
    assert.deepEqual((await eventsNow()).slice(-1), ['result-deleted']);
    assert.deepEqual(webhook.readWebhookItems(receiver.webhooks.at(-1)?.body ?? Buffer.from('')), []);
  });
});
