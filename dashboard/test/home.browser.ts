// Home: what needs attention, the data flow, the counts, and the first steps of a new environment.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestMember } from '../../server/test/support/test-members.ts';
import { checkAccessibility, checkViews, saveShot } from './support/check-views.ts';
import { FAILURE, mockApi, SESSION } from './support/mock-api.ts';
import { CLEAR_OVERVIEW, DIRECTORY, eventsBefore, FIRST_STEPS, OVERVIEW } from './support/sample-home.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const NEWS = { data: eventsBefore(1_000, 7), has_more: true, user_ids: null };

describe('the home page', () => {
  let dashboard: Dashboard;
  let member: TestMember;
  before(async () => {
    dashboard = await startDashboard();
    member = await dashboard.createMember('owner');
  });
  after(() => dashboard.stop());

  const answers = {
    'GET /session': { body: SESSION },
    'GET /live/overview': { body: OVERVIEW },
    'GET /live/events': { body: NEWS },
    'GET /live/users': { body: DIRECTORY },
  };
  const filled = (page: Page) => mockApi(page, answers);
  /** Another one for each test, because a member can have four streams. */
  const newMember = () => dashboard.createMember('owner');

  it('shows attention, flow, counts and news in light and dark, wide and narrow', async () => {
    await checkViews(dashboard, {
      name: 'home',
      path: '/live/',
      member,
      prepare: filled,
      async ready(page) {
        await page.getByText('Data warehouse answers 500').waitFor();
        await page.getByText('159').waitFor();
        await page.getByRole('row', { name: /ada/ }).waitFor();
        await page.getByText(/live$/).waitFor();
      },
    });
  });

  it('leads from each line to what to do', async () => {
    const page = await dashboard.open('/live/home', { member: await newMember(), prepare: filled });
    const list = page.getByRole('region', { name: 'Needs attention' }).getByRole('link');
    await list.first().waitFor();
    const links = await Promise.all((await list.all()).map((link) => link.getAttribute('href')));
    assert.deepEqual(
      links.map((link) => (link ?? '').replace('/dashboard/live/', '').replace(/[0-9a-f-]{36}/, 'ID')),
      ['webhooks/ID', 'webhooks/ID', 'users?filter=attention', 'keys', 'requests'],
    );
    await page.getByText(/The API key Backend expires in 9 days/).waitFor();
  });

  it('draws what it says: a dam for each failing webhook, a stream for each source', async () => {
    const page = await dashboard.open('/live/home', { member: await newMember(), prepare: filled });
    const flow = page.getByRole('region', { name: 'Data flow' });
    await flow.getByRole('link', { name: 'CRM' }).waitFor();
    assert.equal(await flow.getByRole('list', { name: 'Sources' }).getByRole('listitem').count(), 6);
    assert.equal(await flow.locator('svg circle').count(), 7, 'six heads of streams and one end');
    assert.equal(await flow.locator('svg line').count(), 2, 'two dry beds');
    await flow.getByText('2 to reconnect').waitFor();
  });

  it('keeps the range in the address', async () => {
    const page = await dashboard.open('/live/home', { member: await newMember(), prepare: filled });
    const isAsked = page.waitForRequest('**/overview?range=week');
    await page.getByRole('button', { name: 'Week' }).click();
    await Promise.all([isAsked, page.waitForURL('**/home?range=week')]);
    await page
      .getByText(/last seven days/)
      .first()
      .waitFor();
  });

  it('says that nothing needs attention, and shows an empty flow', async () => {
    await checkViews(dashboard, {
      name: 'home-clear',
      path: '/live/home',
      member,
      prepare: (page) =>
        mockApi(page, {
          ...answers,
          'GET /live/overview': { body: CLEAR_OVERVIEW },
          'GET /live/events': { body: { data: [], has_more: false, user_ids: null } },
        }),
      async ready(page) {
        await page.getByText('Nothing needs attention.').waitFor();
        await page.getByText('No webhook yet').waitFor();
        await page.getByText('No event yet.').waitFor();
      },
    });
  });

  it('shows a failure with its request id, and tries again', async () => {
    let isFailing = true;
    const page = await dashboard.open('/live/home', {
      member: await newMember(),
      prepare: (opened) =>
        mockApi(opened, { ...answers, 'GET /live/overview': () => (isFailing ? FAILURE : { body: OVERVIEW }) }),
    });
    await page.getByText('The overview could not be loaded.').waitFor();
    await page.getByText('req_0123456789abcdef01').waitFor();
    await checkAccessibility(page, 'a failure');
    isFailing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Data warehouse answers 500').waitFor();
  });

  it('shows the rest when one part fails', async () => {
    const page = await dashboard.open('/live/home', {
      member: await newMember(),
      prepare: (opened) => mockApi(opened, { ...answers, 'GET /live/users': FAILURE }),
    });
    await page.getByText('The users could not be loaded.').waitFor();
    await page.getByText('Data warehouse answers 500').waitFor();
  });

  it('shows shapes while a slow call runs', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const page = await dashboard.open('/live/home', {
      member: await newMember(),
      prepare: (opened) => mockApi(opened, { ...answers, 'GET /live/overview': { body: OVERVIEW, after: promise } }),
    });
    await page.getByText('Loading').first().waitFor({ state: 'attached' });
    await saveShot(page, 'home-slow');
    resolve();
    await page.getByText('Data warehouse answers 500').waitFor();
  });

  it('keeps the data while the service is not reached', async () => {
    const page = await dashboard.open('/live/home', { member: await newMember(), prepare: filled });
    await page.getByText('Data warehouse answers 500').waitFor();
    await page.route('**/dashboard/api/**', (route) => route.abort());
    await page.getByText(/No connection to the service since/).waitFor();
    await page.getByText('Data warehouse answers 500').waitFor();
    await saveShot(page, 'home-offline');
  });

  it('shows the first steps of an empty environment in every view', async () => {
    await checkViews(dashboard, {
      name: 'home-first-steps',
      path: '/sandbox/home',
      member,
      prepare: (page) =>
        mockApi(page, {
          'GET /session': { body: SESSION },
          'GET /sandbox/overview': { body: { ...CLEAR_OVERVIEW, users: 0 } },
          'GET /sandbox/first-steps': { body: FIRST_STEPS },
          'GET /sandbox/requests': { body: { data: [], next_cursor: null } },
          'GET /sandbox/events': { body: { data: [], has_more: false, user_ids: null } },
        }),
      async ready(page) {
        await page.getByRole('heading', { name: 'Your first ten minutes' }).waitFor();
        await page.getByText(`curl -s ${new URL(dashboard.service.url).origin}/v1/users`).waitFor();
        await page.getByText('No call with an API key yet.').waitFor();
      },
    });
  });

  it('hides the first steps on request, and brings them back', async () => {
    const page = await dashboard.open('/sandbox/home', {
      member: await newMember(),
      prepare: (opened) =>
        mockApi(opened, {
          'GET /sandbox/overview': { body: { ...CLEAR_OVERVIEW, users: 0 } },
          'GET /sandbox/first-steps': { body: FIRST_STEPS },
        }),
    });
    await page.getByRole('button', { name: 'Hide these steps' }).press('Enter');
    await page.getByText('Nothing needs attention.').waitFor();
    await page.reload();
    await page.getByText('Nothing needs attention.').waitFor();
    await page.getByRole('button', { name: 'Show the first steps' }).press('Enter');
    await page.getByRole('heading', { name: 'Your first ten minutes' }).waitFor();
  });

  it('is reached with g h', async () => {
    const page = await dashboard.open('/live/providers', {
      member: await newMember(),
      async prepare(opened) {
        await filled(opened);
        await mockApi(opened, { 'GET /live/providers': { body: { data: [] } } });
      },
    });
    await page.getByRole('heading', { name: 'Providers' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.waitForURL('**/dashboard/live/home');
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  });
});
