// Webhooks of simulated watches, received by the real connector.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sumOfSeries, simulatedZone as zone } from '../../../test/support/lived-days.ts';
import { connectSimulated } from '../../../test/support/simulated-connection.ts';
import { dailyOf, livedOn, NAME, samplesOf, startGarmin, watchOn } from '../../../test/support/simulated-garmin.ts';
import { addDays } from '../../domain/time/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import { garmin } from '../../providers/garmin/index.ts';

describe('new data', async () => {
  const { started, connection, take, receiver, readWebhookItems } = await startGarmin();
  const nextNight = () => {
    const { date } = zone.dayAt(started.clock.now().getTime());
    return livedOn(addDays(date, 1)).sleeps.find(({ kind }) => kind === 'night') ?? assert.fail();
  };
  /** The next night during which the watch is worn until the end. */
  const toMorning = async () => {
    for (;;) {
      const { end } = nextNight();
      started.clock.advance(end - started.clock.now().getTime() + 10 * MINUTE_MS);
      const { date } = zone.dayAt(end);
      if ((watchOn(date).sleep[0]?.heartRateVariability ?? null) !== null) return { date, end };
      await take();
    }
  };

  it('is pushed: yesterday, and last night in the morning and not before', async () => {
    const { date } = await toMorning();
    await connection.refresh();
    assert.ok(!(await take()).some(({ kind }) => kind === 'sleeps'));
    started.clock.advance(30 * MINUTE_MS);
    const taken = await take();
    const [session] = taken.flatMap(({ records }) => records.sleep);
    assert.equal(session?.start, watchOn(date).sleep[0]?.start);
    assert.ok(taken.some(({ kind }) => kind === 'hrv'));
    const before = addDays(date, -1);
    assert.equal(dailyOf(taken, 'steps', before), sumOfSeries(watchOn(before), 'steps'));
    assert.ok(samplesOf(taken, 'epochs', 'steps').length > 20, 'by a link');
  });

  it('is sent once more with the same id when it is final', async () => {
    const sleeps = async () =>
      (await take()).filter(({ kind }) => kind === 'sleeps').flatMap(({ records }) => records.sleep);
    started.clock.advance(2 * HOUR_MS);
    const [final, ...more] = await sleeps();
    assert.deepEqual([final?.stages !== null, more], [true, []]);
    assert.deepEqual(await sleeps(), []);
    const heal = started.fault({ kind: 'changed_record', provider: 'garmin' });
    const [changed] = await sleeps();
    assert.equal(changed?.key, final?.key);
    assert.ok((changed?.deepMinutes ?? 0) < (final?.deepMinutes ?? 0));
    heal();
    assert.deepEqual(await sleeps(), [final]);
    const healDeleted = started.fault({ kind: 'deleted_record', provider: 'garmin' });
    assert.deepEqual(await sleeps(), [], 'Garmin does not report deletions');
    healDeleted();
    await take();
  });

  it('arrives late, twice, or again after a failed delivery', async () => {
    const heal = started.fault({ kind: 'late_night', provider: 'garmin', account: NAME });
    assert.deepEqual(
      (await take()).flatMap(({ records }) => records.sleep),
      [],
    );
    heal();
    const late = await take();
    assert.equal(late.flatMap(({ records }) => records.sleep.filter(({ stages }) => stages !== null)).length, 1);

    const single = started.fault({ kind: 'duplicate_push', provider: 'garmin' });
    started.clock.advance(HOUR_MS);
    const taken = await started.simulator.tick();
    single();
    assert.equal(receiver.webhooks.length, 2 * taken);
    receiver.webhooks.length = 0;

    const letGo = started.fault({ kind: 'late_push', provider: 'garmin', account: NAME });
    started.clock.advance(HOUR_MS);
    assert.equal(await started.simulator.tick(), 0);
    assert.equal(receiver.webhooks.length, 0);
    letGo();
    assert.ok((await started.simulator.tick()) > 0);
    receiver.webhooks.length = 0;

    receiver.answerWith(503);
    started.clock.advance(HOUR_MS);
    assert.equal(await started.simulator.tick(), 0);
    const first = receiver.webhooks.splice(0).map(({ body }) => Buffer.from(body).toString());
    receiver.answerWith(200);
    assert.ok(first.length > 0);
    assert.equal(await started.simulator.tick(), first.length);
    assert.deepEqual(
      receiver.webhooks.splice(0).map(({ body }) => Buffer.from(body).toString()),
      first,
    );
  });

  it('cannot be requested without a link, nor with the link of another request', async () => {
    started.clock.advance(HOUR_MS);
    await started.simulator.tick();
    const ping = readWebhookItems().find((delivered) => delivered.kind === 'changed');
    const request = (ping?.kind === 'changed' ? ping.request : undefined) ?? assert.fail('no ping');
    const { query = {} } = request;
    const pull = async (changes: Readonly<Record<string, string>>, path = request.path) =>
      (await connection.ask({ ...request, path, query: { ...query, ...changes } })).status;
    assert.equal(await pull({}), 200);
    assert.equal(await pull({ token: 'x' }), 400);
    assert.equal(await pull({ uploadStartTimeInSeconds: String(Number(query.uploadEndTimeInSeconds) - 100) }), 400);
    assert.equal(await pull({ uploadStartTimeInSeconds: '0' }), 400);
    assert.equal(await pull({}, '/wellness-api/rest/dailies'), 400);
    const { token: _, ...untokened } = query;
    const refused = await connection.ask({ ...request, query: untokened });
    assert.match(JSON.stringify(refused.body), /InvalidPullTokenException/);
    const other = await connectSimulated(started, garmin);
    assert.equal((await other.ask(request)).status, 400);
  });
});
