// Events: the live tail, its filters, and one event of a link.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestMember } from '../../server/test/support/test-members.ts';
import { createUser } from '../../server/test/support/test-users.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { checkAccessibility, checkViews, saveShot } from './support/check-views.ts';
import { FAILURE, mockApi, SESSION } from './support/mock-api.ts';
import { eventAt, eventId, eventsBefore, OVERVIEW } from './support/sample-home.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const LIMIT_MS = 30_000;
const PAGE = { data: eventsBefore(1_000, 30), has_more: true, user_ids: null };
const NOTHING = { data: [], has_more: false, user_ids: null };

describe('the events page', () => {
  let dashboard: Dashboard;
  let member: TestMember;
  before(async () => {
    dashboard = await startDashboard();
    member = await dashboard.createMember('developer');
  });
  after(() => dashboard.stop());

  const answers = {
    'GET /session': { body: SESSION },
    'GET /sandbox/overview': { body: OVERVIEW },
    'GET /sandbox/events': { body: PAGE },
  };
  const filled = (page: Page) => mockApi(page, answers);
  /** As another member each time, because a member can have four streams. */
  const openEvents = async (path = '/sandbox/events', more: Parameters<typeof mockApi>[1] = {}) =>
    dashboard.open(path, {
      member: await dashboard.createMember('viewer'),
      prepare: (page) => mockApi(page, { ...answers, ...more }),
    });

  it('lists events in words with their deliveries in light and dark, wide and narrow', async () => {
    await checkViews(dashboard, {
      name: 'events',
      path: `/sandbox/events?event=${eventId(998)}`,
      member,
      prepare: filled,
      async ready(page) {
        await page.getByText('"event_id"').waitFor();
        await page.getByRole('button', { name: /^Paused/ }).waitFor();
        await page.getByText('App backend: delivered').waitFor();
      },
    });
  });

  it('moves with j and k, opens with Enter, and keeps the open event in the address', async () => {
    const page = await openEvents();
    await page.getByRole('row').nth(5).waitFor();
    for (const key of ['j', 'j', 'k', 'j', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL(`**/events?event=${eventId(998)}`);
    await page.getByRole('button', { name: 'Copy the event' }).press('Enter');
    const copied = JSON.parse((await page.evaluate('navigator.clipboard.readText()')) as string);
    assert.equal(copied.event_id, eventId(998));
    await page.locator('[aria-expanded="true"]').press('Enter');
    await page.waitForURL('**/sandbox/events');
  });

  it('pauses with space and while the pointer is on the list, and says so', async () => {
    const page = await openEvents();
    await page.getByRole('button', { name: /^Live/ }).waitFor();
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: /^Paused/ }).waitFor();
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: /^Live/ }).waitFor();
    await page.getByRole('row').nth(3).hover();
    await page.getByRole('button', { name: /^Paused/ }).waitFor();
    await page.getByRole('heading', { name: 'Events' }).hover();
    await page.getByRole('button', { name: /^Live/ }).waitFor();
  });

  it('keeps filters in the address and asks the service for them', async () => {
    const asked: URL[] = [];
    const page = await openEvents();
    page.on('request', (request) => asked.push(new URL(request.url())));
    const hasAsked = (name: string, value: string) =>
      waitUntil(
        `${name}=${value}`,
        () => asked.some((url) => url.pathname.endsWith('/events') && url.searchParams.get(name) === value),
        LIMIT_MS,
      );
    await page.getByRole('button', { name: 'score.updated' }).click();
    await page.waitForURL('**/events?type=score.updated');
    await hasAsked('types', 'score.updated');
    await page.getByRole('searchbox').fill('ada');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/events?type=score.updated&q=ada');
    await hasAsked('q', 'ada');
    await page.getByRole('row').nth(2).click();
    await page.getByRole('button', { name: 'Only this user' }).click();
    await page.waitForURL(/events\?user=/);
    await page
      .getByRole('button', { name: /^Only / })
      .first()
      .click();
    await page.waitForURL('**/sandbox/events');
  });

  it('loads older events before the last one', async () => {
    const positions: (string | null)[] = [];
    const page = await dashboard.open('/sandbox/events', {
      member,
      async prepare(opened) {
        await filled(opened);
        await opened.route('**/sandbox/events?*before=*', (route) => {
          positions.push(new URL(route.request().url()).searchParams.get('before'));
          return route.fulfill({ json: { ...PAGE, data: eventsBefore(970, 5), has_more: false } });
        });
      },
    });
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator(`[data-row="${eventId(965)}"]`).waitFor();
    assert.deepEqual(positions, ['970']);
    assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
  });

  it('opens the event of a link that is not listed, and says when there is none', async () => {
    const page = await openEvents(`/sandbox/events?event=${eventId(12)}`, {
      [`GET /sandbox/events/${eventId(12)}`]: { body: { data: eventAt(12) } },
    });
    await page.getByRole('heading', { name: 'The event of the link' }).waitFor();
    await page.getByText(eventId(12)).waitFor();
    await checkAccessibility(page, 'the event of a link');
    const missing = await openEvents(`/sandbox/events?event=${eventId(13)}`, {
      [`GET /sandbox/events/${eventId(13)}`]: {
        status: 404,
        body: { error: 'not_found', message: 'event was not found.', details: {} },
      },
    });
    await missing.getByText('This event was not found').waitFor();
  });

  it('explains an empty list in every view', async () => {
    await checkViews(dashboard, {
      name: 'events-empty',
      path: '/sandbox/events',
      member,
      prepare: (page) => mockApi(page, { ...answers, 'GET /sandbox/events': { body: NOTHING } }),
      ready: (page) => page.getByText('No event yet').waitFor(),
    });
    const filtered = await openEvents('/sandbox/events?q=nobody', { 'GET /sandbox/events': { body: NOTHING } });
    await filtered.getByRole('button', { name: 'Clear filters' }).click();
    await filtered.waitForURL('**/sandbox/events');
  });

  it('shows a failure with its request id, and tries again', async () => {
    let isFailing = true;
    const page = await openEvents('/sandbox/events', {
      'GET /sandbox/events': () => (isFailing ? FAILURE : { body: PAGE }),
    });
    await page.getByText('The events could not be loaded.').waitFor();
    await page.getByText('req_0123456789abcdef01').waitFor();
    await checkAccessibility(page, 'a failure');
    isFailing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row').nth(3).waitFor();
  });

  it('shows shapes, and never "no event", while a slow call runs', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const page = await openEvents('/sandbox/events', { 'GET /sandbox/events': { body: PAGE, after: promise } });
    await page.getByText('Loading').first().waitFor({ state: 'attached' });
    assert.equal(await page.getByText('No event').count(), 0);
    await saveShot(page, 'events-slow');
    resolve();
    await page.getByRole('row').nth(3).waitFor();
  });

  it('follows the real service, holds events while it is paused, and saves them as CSV', async () => {
    const api = dashboard.service.api(dashboard.service.keys.live);
    const user = await createUser(api, { external_ref: 'grete' });
    const trigger = (type: string) =>
      dashboard.service.operator().post('/admin/events', { event_type: type, user_id: user.id });
    const page = await dashboard.open('/live/events?q=gre', { member: await dashboard.createMember('viewer') });
    await page.getByRole('button', { name: /^Live/ }).waitFor();
    await trigger('score.updated');
    await page.getByRole('row', { name: /grete Scores changed/ }).waitFor();
    await page.keyboard.press(' ');
    await trigger('device.connected');
    await page.getByRole('button', { name: /^Paused · 1 new/ }).waitFor();
    assert.equal(await page.getByRole('row', { name: /Device connected/ }).count(), 0);
    await page.keyboard.press(' ');
    await page.getByRole('row', { name: /grete Device connected/ }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'events-live.csv');
  });
});
