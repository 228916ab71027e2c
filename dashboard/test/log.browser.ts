// The log of a user: everything that happened to a person, in one list.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestMember } from '../../server/test/support/test-members.ts';
import { memberApi } from '../../server/test/support/test-members.ts';
import { startPhone, type TestPhone } from '../../server/test/support/test-phone.ts';
import { createUser } from '../../server/test/support/test-users.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { checkViews } from './support/check-views.ts';
import { FAILURE, mockApi } from './support/mock-api.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const WATCH = { provider: 'health_connect', id: 'watch', device_class: 'wrist', name: 'Field watch' };
const QUARTER_MS = 900_000;

describe('the log of a user', () => {
  let dashboard: Dashboard;
  let member: TestMember;
  let phone: TestPhone;
  let userId = '';
  let path = '';
  let uploads = 0;

  before(async () => {
    dashboard = await startDashboard();
    member = await dashboard.createMember('developer');
    const user = await createUser(dashboard.service.api(), { external_ref: 'noor', timezone: 'Europe/Berlin' });
    userId = user.id;
    path = `/live/users/${userId}/log`;
    phone = await startPhone(dashboard.service, userId, { platform: 'android' });
    await upload([{ metric: 'steps', start: 'never', end: 'never', value: 1 }]);
    const api = memberApi(dashboard.service, member.cookie);
    await api.patch(`/dashboard/api/live/v1/users/${userId}/consolidation`, { metrics: { steps: { method: 'max' } } });
    await isListed('data.updated');
  });
  after(() => dashboard.stop());

  async function upload(more: readonly object[] = []): Promise<void> {
    uploads += 1;
    const startMs = Date.parse('2026-11-10T08:00:00Z') + uploads * QUARTER_MS;
    const [start, end] = [startMs, startMs + QUARTER_MS].map((ms) => new Date(ms).toISOString());
    const samples = [{ metric: 'steps', start, end, value: 100 + uploads }, ...more];
    await phone.send({ upload_id: randomUUID(), source: WATCH, samples });
  }
  async function isListed(type: string): Promise<void> {
    const api = memberApi(dashboard.service, member.cookie);
    await waitUntil(
      'the published event',
      async () => {
        const { body } = await api.get(`/dashboard/api${path}?kinds=events`);
        return body.data.some(({ event }: { event: { type: string } }) => event.type === type);
      },
      30_000,
    );
  }
  const open = (search = '', answers: Parameters<typeof mockApi>[1] = {}) =>
    dashboard.open(`${path}${search}`, { member, prepare: (page) => mockApi(page, answers) });
  const rows = (page: Page) => page.locator('tr[data-row]');

  it('looks right in light and dark, wide and narrow', async () => {
    await checkViews(dashboard, {
      name: 'log',
      path,
      member,
      ready: async (page) => {
        await rows(page).filter({ hasText: 'Upload' }).first().click();
        await page.getByText('Rejected items').waitFor();
      },
    });
  });

  it('lists events, uploads, settings and views, newest first, in the zone of the person', async () => {
    const page = await open();
    await rows(page).filter({ hasText: 'New data' }).first().waitFor();
    await rows(page).filter({ hasText: '1 item accepted · 1 rejected' }).waitFor();
    await rows(page).filter({ hasText: 'Consolidation changed' }).filter({ hasText: 'by Test developer' }).waitFor();
    await rows(page).filter({ hasText: 'Data viewed' }).first().waitFor();
    await page.getByRole('columnheader', { name: 'Time in Europe/Berlin' }).waitFor();
    const times = (await page.evaluate(
      "[...document.querySelectorAll('time')].map((one) => one.dateTime)",
    )) as string[];
    assert.deepEqual(times, times.toSorted().reverse());
  });

  it('opens an entry in place with the keyboard, and keeps it in the address', async () => {
    const page = await open('?kind=uploads');
    await rows(page).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL('**entry=**');
    await page.getByText('samples[1].start').first().waitFor();
    await page.reload();
    await page.getByText('samples[1].start').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.search.includes('entry='));
  });

  it('filters by kind in the address, and saves what is listed', async () => {
    const page = await open();
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.waitForURL('**kind=changes**');
    await rows(page).filter({ hasText: 'Consolidation changed' }).waitFor();
    assert.equal(await rows(page).count(), 1);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const file = await saved;
    assert.equal(file.suggestedFilename(), 'log-noor.csv');
    const text = await readFile(await file.path(), 'utf8');
    assert.deepEqual(text.trim().split('\r\n').length, 2, text);
    await page.getByRole('button', { name: 'Deliveries', exact: true }).click();
    await page.getByText('No entry of this kind: deliveries.').waitFor();
  });

  it('announces newer entries, and shows them when asked', async () => {
    let isFollowing: Promise<unknown> = Promise.resolve();
    const page = await dashboard.open(`${path}?kind=uploads`, {
      member: await dashboard.createMember('viewer'), // a member has four streams at most
      prepare: async (opened) => {
        isFollowing = opened.waitForResponse((response) => response.url().includes('/live?topics='));
      },
    });
    await rows(page).first().waitFor();
    await isFollowing;
    const before_ = await rows(page).count();
    await upload();
    await page.getByText('Newer entries arrived while you read.').waitFor();
    assert.equal(await rows(page).count(), before_);
    await page.getByRole('button', { name: 'Show them' }).click();
    await waitUntil('the new upload', async () => (await rows(page).count()) === before_ + 1, 30_000);
  });

  it('shows older pages', async () => {
    const entry = (id: number) => ({
      kind: 'events',
      id: `e${id}`,
      at: new Date(Date.UTC(2026, 0, 1) - id * 1_000).toISOString(),
      device_id: null,
      event: { type: 'data.updated', metrics: ['steps'], from_date: null, to_date: null, deleted: false },
    });
    let page_ = 0;
    const page = await open('', {
      [`GET ${path}`]: () => {
        page_ += 1;
        const data = [1, 2].map((id) => entry(page_ * 2 + id));
        return { body: { zone: 'UTC', devices: [], data, next_cursor: page_ === 1 ? 'older' : null } };
      },
    });
    await rows(page).nth(1).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows(page).nth(3).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
  });

  it('says what would be here for a user without anything', async () => {
    const page = await open('', {
      [`GET ${path}`]: { body: { zone: 'UTC', devices: [], data: [], next_cursor: null } },
    });
    await page.getByText('Nothing has happened yet').waitFor();
  });

  it('shows shapes while it is slow, a failure, and tries again', async () => {
    let release: () => void = () => undefined;
    const later = new Promise<void>((resolve) => {
      release = resolve;
    });
    let fails = true;
    const body = { zone: 'UTC', devices: [], data: [], next_cursor: null };
    const page = await open('', { [`GET ${path}`]: () => (fails ? { ...FAILURE, after: later } : { body }) });
    await page.locator('[aria-busy=true]').first().waitFor();
    release();
    await page.getByText('The log could not be loaded.').waitFor();
    fails = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing has happened yet').waitFor();
  });
});
