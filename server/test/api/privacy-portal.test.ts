// Tests the privacy portal: the list of shared data, stop sharing, export, erase; also for a removed member.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { tidyRosterJob } from '../../src/features/people/roster/index.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { openPage, submitForm } from '../support/test-pages.ts';
import { startPhone } from '../support/test-phone.ts';
import { createRosterSide, INVITATIONS, newAddress, ROSTER } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createMovableClock();
const printed: string[] = [];
const service = await startTestService({ clock, printedLines: printed });
after(() => service.stop());
const { db } = service.running.services;
const open = async () => {
  const account = await createAccount(service);
  const api = service.api(account.live);
  return { ...account, api, roster: createRosterSide(api, printed) };
};
const [acme, other] = [await open(), await open()];

const DAY = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
const DATA = {
  samples: [
    { metric: 'steps', start: `${DAY}T08:00:00Z`, end: `${DAY}T08:10:00Z`, value: 900 },
    { metric: 'heart_rate', start: `${DAY}T08:01:00Z`, value: 71 },
  ],
  sleep: [{ start: `${DAY}T00:00:00Z`, end: `${DAY}T06:00:00Z`, asleep_minutes: 340 }],
  workouts: [{ sport_type: 'running', start: `${DAY}T08:00:00Z`, end: `${DAY}T08:30:00Z` }],
};

/** A member of acme with data. */
async function joinWithData(email = newAddress()) {
  const member = await acme.roster.join(email);
  const phone = await startPhone(service, member.user_id, { key: acme.live });
  await phone.upload(DATA);
  return { ...member, email };
}

async function isErased(userId: string): Promise<boolean> {
  return (await db.query('select 1 from users where id = $1', [userId])).length === 0;
}

describe('GET /my-data/{token}', () => {
  it('200 lists every organization the person shares with, and pending invitations; reading changes nothing', async () => {
    const { email, portalLink, id } = await joinWithData();
    const there = await other.roster.join(email.toUpperCase());
    assert.equal(
      (await openPage(there.portalLink)).text,
      (await openPage(portalLink)).text,
      'one person has one portal',
    );
    const third = await open();
    await third.roster.invite(email);
    for (const _look of [1, 2]) {
      const page = await openPage(portalLink);
      assert.equal(page.status, 200);
      for (const { name } of [acme, other, third]) assert.ok(page.text.includes(name));
      assert.equal(page.text.match(/value="stop"/g)?.length, 2);
    }
    assert.equal((await acme.api.get(`${ROSTER}/${id}`)).status, 200);
  });

  it('200 before anything is shared, and 404 for an unknown link', async () => {
    const { portalLink } = await acme.roster.invite(newAddress());
    const page = await openPage(portalLink);
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /name="member"/);
    assert.equal((await openPage(`${portalLink}x`)).status, 404);
    assert.equal((await submitForm(`${portalLink}x`, { decision: 'stop' })).status, 404);
  });
});

describe('POST /my-data/{token}', () => {
  it('asks before it stops sharing', async () => {
    const { portalLink, id, user_id } = await joinWithData();
    const page = await submitForm(portalLink, { member: id, decision: 'stop' });
    assert.match(page.text, /value="stop_now"/);
    assert.equal((await acme.api.get(`/v1/users/${user_id}`)).status, 200, 'the question changes nothing');
    assert.match((await submitForm(portalLink, { member: id, decision: 'keep' })).text, /value="stop"/);
  });

  it('shares again what the person stopped, with the same user and member', async () => {
    const { portalLink, id, user_id } = await joinWithData();
    const stopped = await submitForm(portalLink, { member: id, decision: 'stop_now' });
    assert.match(stopped.text, /value="resume"/);
    const resumed = await submitForm(portalLink, { member: id, decision: 'resume' });
    assert.match(resumed.text, /share your health data with .* again/);
    assert.equal((await acme.api.get(`${ROSTER}/${id}`)).body.user_id, user_id);
    const daily = await acme.api.get(`/v1/users/${user_id}/daily?start_date=${DAY}&end_date=${DAY}&metrics=steps`);
    assert.equal(daily.body.data[0].value, 900);
    assert.match(
      (await submitForm(portalLink, { member: id, decision: 'resume' })).text,
      /Nothing was changed/,
      'once',
    );
  });

  it('does not share again what the organization ended', async () => {
    const { portalLink, id } = await joinWithData();
    await acme.api.delete(`${ROSTER}/${id}`);
    assert.doesNotMatch((await openPage(portalLink)).text, /value="resume"/);
    assert.match((await submitForm(portalLink, { member: id, decision: 'resume' })).text, /Nothing was changed/);
    assert.equal((await acme.api.get(`${ROSTER}/${id}`)).status, 404);
  });

  it('does not share again with an organization whose account is closed', async () => {
    const closed = await open();
    const { id, user_id, portalLink } = await closed.roster.join(newAddress());
    await submitForm(portalLink, { member: id, decision: 'stop_now' });
    const account = `/admin/accounts/${encodeURIComponent(closed.name)}`;
    assert.equal((await service.operator().post(`${account}/close`)).status, 200);
    assert.match((await submitForm(portalLink, { member: id, decision: 'resume' })).text, /Nothing was changed/);
    assert.equal((await service.operator().post(`${account}/reopen`)).status, 200);
    assert.equal((await closed.api.get(`/v1/users/${user_id}`)).status, 404);
  });

  it('exports daily values, sleep and workouts as CSV', async () => {
    const { portalLink, id } = await joinWithData();
    const read = async (format: string) => {
      const file = await submitForm(portalLink, { member: id, decision: 'export', format });
      assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.match(file.headers.get('content-disposition') ?? '', new RegExp(`health-data-${format}\\.csv`));
      const [head, ...lines] = file.text.replace('\ufeff', '').trimEnd().split('\r\n');
      return { head, lines };
    };
    const daily = await read('daily');
    assert.equal(daily.head, 'organization,date,metric,value,unit');
    assert.ok(daily.lines.includes(`${acme.name},${DAY},steps,900,count`), daily.lines.join(' '));
    const sleep = await read('sleep');
    assert.match(
      sleep.head ?? '',
      /^organization,date,start,end,utc_offset_minutes,provider,is_main,in_bed_minutes,asleep/,
    );
    assert.equal(sleep.lines.length, 1);
    assert.match(sleep.lines[0] ?? '', new RegExp(`,${DAY},${DAY}T00:00:00Z,${DAY}T06:00:00Z,0,\\w+,true,[^,]*,340,`));
    const workouts = await read('workouts');
    assert.equal(workouts.lines.length, 1);
    assert.match(workouts.lines[0] ?? '', new RegExp(`,${DAY},${DAY}T08:00:00Z,${DAY}T08:30:00Z,0,\\w+,running,`));
  });

  it('exports daily values as CSV as the API returns them: its metrics, rounded', async () => {
    const { portalLink, id, user_id } = await acme.roster.join(newAddress());
    const phone = await startPhone(service, user_id, { key: acme.live });
    const at = (minute: number) => `${DAY}T08:${String(minute).padStart(2, '0')}:00Z`;
    await phone.upload({
      samples: [
        { metric: 'weight', start: at(0), value: 157.3, unit: 'lb' },
        ...[61, 62, 64].map((value, minute) => ({ metric: 'heart_rate', start: at(minute), value })),
      ],
    });
    const { text } = await submitForm(portalLink, { member: id, decision: 'export', format: 'daily' });
    const { data } = (await acme.api.get(`/v1/users/${user_id}/daily?start_date=${DAY}&end_date=${DAY}`)).body;
    assert.ok(data.some(({ metric }: { metric: string }) => metric === 'weight'));
    assert.deepEqual(
      text.trimEnd().split('\r\n').slice(1).toSorted(),
      data.map(({ metric, value, unit }: JsonBody) => [acme.name, DAY, metric, value, unit].join()).toSorted(),
    );
  });

  it('exports sleep and workouts as CSV with the values that the API returns, counted from stages and heart rates', async () => {
    const { portalLink, id, user_id } = await acme.roster.join(newAddress());
    const phone = await startPhone(service, user_id, { key: acme.live });
    const at = (time: string) => `${DAY}T${time}:00Z`;
    await phone.upload({
      sleep: [
        {
          start: at('00:00'),
          end: at('06:00'),
          stages: [
            { stage: 'light', start: at('00:00'), end: at('04:00') },
            { stage: 'deep', start: at('04:00'), end: at('05:30') },
            { stage: 'awake', start: at('05:30'), end: at('06:00') },
          ],
        },
      ],
      workouts: [
        {
          sport_type: 'running',
          start: at('08:00'),
          end: at('08:30'),
          heart_rate: {
            samples: [
              { timestamp: at('08:00'), bpm: 120 },
              { timestamp: at('08:15'), bpm: 140 },
            ],
          },
        },
      ],
    });
    const read = async (format: string) => {
      const { text } = await submitForm(portalLink, { member: id, decision: 'export', format });
      const [names = [], values = []] = text
        .replace('\ufeff', '')
        .split('\r\n')
        .map((line) => line.split(','));
      return Object.fromEntries(names.map((name, index) => [name, values[index]]));
    };
    const list = async (path: string) =>
      (await acme.api.get(`/v1/users/${user_id}/${path}?from_date=${DAY}&to_date=${DAY}`)).body.data[0];
    const [sleep, listedSleep] = [await read('sleep'), await list('sleep')];
    for (const name of ['asleep_minutes', 'deep_minutes', 'light_minutes', 'awake_minutes', 'in_bed_minutes'])
      assert.deepEqual([name, sleep[name]], [name, String(listedSleep[name])]);
    const [workout, listedWorkout] = [await read('workouts'), await list('workouts')];
    for (const name of ['duration_minutes', 'avg_heart_rate', 'max_heart_rate'])
      assert.deepEqual([name, workout[name]], [name, String(listedWorkout[name])]);
  });

  it('stops sharing with one organization at once, and with no other', async () => {
    const { email, portalLink, id, user_id } = await joinWithData();
    const there = await other.roster.join(email);
    const page = await submitForm(portalLink, { member: id, decision: 'stop_now' });
    assert.equal(page.status, 200);
    assert.match(page.text, /no longer share/);
    assert.equal((await acme.api.get(`/v1/users/${user_id}`)).status, 404);
    assert.equal((await acme.api.get(`${ROSTER}/${id}`)).status, 404);
    assert.equal((await other.api.get(`/v1/users/${there.user_id}`)).status, 200);
    assert.equal((await submitForm(portalLink, { member: id, decision: 'stop_now' })).status, 200, 'again');
    assert.equal((await acme.roster.join(email)).user_id, user_id, 'the person can come back');
  });

  it('exports everything, also for a removed member', async () => {
    const { email, portalLink, id, user_id } = await joinWithData();
    for (const isEnded of [false, true]) {
      const file = await submitForm(portalLink, { member: id, decision: 'export' });
      assert.equal(file.status, 200);
      assert.match(file.headers.get('content-disposition') ?? '', /^attachment/);
      const { memberships, users } = JSON.parse(file.text);
      assert.deepEqual([memberships[0].email, memberships[0].name], [email, null]);
      assert.equal(memberships[0].removed_at !== null, isEnded);
      const [user] = users;
      assert.deepEqual([user.organization, user.is_shared, user.profile[0].id], [acme.name, !isEnded, user_id]);
      assert.equal(user.devices.length, 1);
      assert.equal(user.canonical.length, 1);
      const [month] = user.canonical;
      assert.equal(month.month, DAY.slice(0, 7));
      const steps = month.daily.data.find((row: { metric: string }) => row.metric === 'steps');
      assert.deepEqual([steps.date, steps.value], [DAY, 900]);
      assert.equal(month.sleep.data.length, 1);
      assert.equal(month.workouts.length, 1);
      assert.ok(month.samples.data.some((row: { metric: string; value: number }) => row.value === 71));
      await acme.api.delete(`${ROSTER}/${id}`);
    }
    assert.equal((await acme.api.get(`/v1/users/${user_id}`)).status, 404, 'reading restores nothing');
  });

  it('exports a person without data', async () => {
    const { portalLink, id } = await acme.roster.join(newAddress());
    const file = await submitForm(portalLink, { member: id, decision: 'export' });
    assert.deepEqual(JSON.parse(file.text).users[0].canonical, []);
  });

  it('erases after a confirmation, and emits the event to an organization that could see the person', async () => {
    const { portalLink, id, user_id } = await joinWithData();
    const page = await submitForm(portalLink, { member: id, decision: 'erase' });
    assert.match(page.text, /value="erase_for_good"/);
    assert.match((await submitForm(portalLink, { member: id, decision: 'keep' })).text, /value="erase"/);
    assert.equal((await acme.api.get(`/v1/users/${user_id}`)).status, 200, 'the question erases nothing');
    const done = await submitForm(portalLink, { member: id, decision: 'erase_for_good' });
    assert.match(done.text, /being erased/);
    assert.equal((await acme.api.get(`/v1/users/${user_id}`)).status, 404);
    assert.equal((await acme.api.get(`${ROSTER}/${id}`)).status, 404);
    await waitUntil('erasure', () => isErased(user_id));
    await waitUntil('news', async () => {
      const { events } = (await acme.api.get(`/v1/events?user_id=${user_id}`)).body;
      return events.length === 1 && events[0].event_type === 'user.deleted';
    });
    const left = await db.query('select 1 from roster_members where user_id = $1', [user_id]);
    assert.equal(left.length, 0);
  });

  it('erases a removed member without an event to the organization', async () => {
    const { email, portalLink, id, user_id } = await joinWithData();
    await acme.api.delete(`${ROSTER}/${id}`);
    await submitForm(portalLink, { member: id, decision: 'erase_for_good' });
    await waitUntil('erasure', () => isErased(user_id));
    assert.deepEqual((await acme.api.get(`/v1/events?user_id=${user_id}`)).body.events, []);
    assert.equal((await openPage(portalLink)).status, 404, 'the person is gone');
    assert.notEqual((await acme.roster.join(email)).user_id, user_id);
  });

  it('400 for a membership of another person, and without a decision', async () => {
    const [mine, theirs] = [await joinWithData(), await joinWithData()];
    for (const decision of ['stop', 'export', 'erase', 'erase_for_good'])
      assert.equal((await submitForm(mine.portalLink, { member: theirs.id, decision })).status, 400);
    assert.equal((await submitForm(mine.portalLink, { member: mine.id })).status, 400);
    assert.equal((await acme.api.get(`${ROSTER}/${theirs.id}`)).status, 200);
  });
});

describe('retention', () => {
  const tidy = () => tidyRosterJob.run(service.running.services, {} as never);

  it('erases data 12 months after the end of sharing, unless the person came back', async () => {
    const [gone, back] = [await joinWithData(), await joinWithData()];
    for (const { id } of [gone, back]) await acme.api.delete(`${ROSTER}/${id}`);
    await acme.roster.join(back.email);
    clock.advance(365 * DAY_MS - DAY_MS);
    await tidy();
    assert.equal(await isErased(gone.user_id), false);
    clock.advance(2 * DAY_MS);
    await tidy();
    await waitUntil('erasure', () => isErased(gone.user_id));
    assert.equal(await isErased(back.user_id), false);
  });

  it('removes unanswered invitations after 90 days', async () => {
    const fresh = await open(); // the keys of the other tests have expired by now
    const { id, portalLink } = await fresh.roster.invite(newAddress());
    clock.advance((14 + 90) * DAY_MS + 1_000);
    await tidy();
    const again = await open();
    assert.equal((await again.api.get(`${INVITATIONS}/${id}`)).status, 404);
    assert.equal((await openPage(portalLink)).status, 404);
    assert.deepEqual(await db.query('select 1 from roster_invitations where id = $1', [id]), []);
  });
});
