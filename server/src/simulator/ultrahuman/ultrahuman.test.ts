// The simulated Ultrahuman, read by the real connector over HTTP.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { livedOn, seenOn } from '../../../test/support/lived-days.ts';
import { samplesOf } from '../../../test/support/read-pages.ts';
import { windowOfDays } from '../../../test/support/simulated-connection.ts';
import { connectPerson } from '../../../test/support/simulated-person.ts';
import { addDays } from '../../domain/time/calendar.ts';
import { createZone } from '../../domain/time/day.ts';
import type { FetchWindow } from '../../providers/contract.ts';
import { ultrahuman } from '../../providers/ultrahuman/index.ts';

const WHO = 'ann';
const ann = await connectPerson({ after }, ultrahuman, WHO);
const { connection, simulator, today, yesterday, resourceOf } = ann;
const metrics = resourceOf('metrics');
const zone = createZone('Europe/Berlin');

function dayBefore(days: number): FetchWindow {
  const date = addDays(today, -days);
  const { start: from, end: to } = zone.dayOf(date);
  return { ...windowOfDays(simulator.clock.now(), 1), from, to, fromDate: date, toDate: date };
}

describe('the simulated Ultrahuman', () => {
  it('has the steps, the night and the heart rates of a day', async () => {
    const pages = await connection.read(metrics, dayBefore(1));
    const { steps } = livedOn(WHO, yesterday);
    const [counted] = pages.flatMap(({ daily }) => daily).filter(({ metric }) => metric === 'steps');
    assert.deepEqual([counted?.date, counted?.value], [yesterday, steps.reduce((sum, count) => sum + count, 0)]);
    const seen = seenOn('ring', WHO, yesterday).sleep;
    assert.deepEqual(
      pages.flatMap(({ sleep }) => sleep).map(({ start, end, stages }) => ({ start, end, stages })),
      seen.map(({ start, end, stages }) => ({ start, end, stages })),
    );
    assert.ok(samplesOf(pages, 'heart_rate').length > 50);
    assert.ok(samplesOf(pages, 'blood_glucose').length > 200);
  });

  it('answers 404 for a day that has not begun, and 429 with the fault', async () => {
    assert.deepEqual(await connection.read(metrics, dayBefore(-2)), []);
    const heal = simulator.fault({ kind: 'rate_limited', provider: 'ultrahuman' });
    const { status } = await connection.ask(metrics.request(dayBefore(1), null, connection.account));
    heal();
    assert.equal(status, 429);
  });

  it('rotates refresh tokens and ends access on revocation', async () => {
    const used = connection.account.refreshToken ?? '';
    assert.ok(!('refused' in (await connection.refresh())));
    assert.ok('refused' in (await connection.refresh(used)));
    const [revoke] = ultrahuman.oauth.revokeSteps ?? [];
    assert.ok(revoke);
    const client = simulator.simulator.clientOf('ultrahuman');
    const request = revoke({ account: connection.account, client, now: simulator.clock.now(), before: null });
    assert.equal((await connection.ask(request)).status, 200);
    const { status } = await connection.ask(metrics.request(dayBefore(1), null, connection.account));
    assert.equal(status, 401);
  });
});
