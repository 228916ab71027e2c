// The day of a user: what every device measured, and why each value is what it is.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { startPhone } from '../../server/test/support/test-phone.ts';
import { createUser } from '../../server/test/support/test-users.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { checkPage } from './support/check-page.ts';
import { FAILURE, mockApi } from './support/mock-api.ts';
import { createEmptyUser, dateBefore } from './support/sandbox-users.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const DAY_MS = 86_400_000;
const WATCH = { provider: 'health_connect', id: 'watch', device_class: 'wrist', name: 'Field watch' };

describe('a day of a user', () => {
  let dashboard: Dashboard;
  let member: Awaited<ReturnType<Dashboard['createMember']>>;
  let userId = '';
  let base = '';
  const yesterday = dateBefore(1);

  before(async () => {
    dashboard = await startDashboard();
    const api = dashboard.service.api(dashboard.service.keys.sandbox);
    member = await dashboard.createMember('developer');
    const user = await createUser(api, { external_ref: 'ines', timezone: 'UTC', metadata: { plan: 'pro' } });
    userId = user.id;
    base = `/sandbox/users/${userId}`;
    await setMethod('priority');
  });
  after(() => dashboard.stop());

  async function setMethod(method: 'priority' | null): Promise<void> {
    const api = dashboard.service.api(dashboard.service.keys.sandbox);
    const before_ = (await readSteps()).value;
    const answer = await api.patch(`/v1/users/${userId}/consolidation`, { metrics: { steps: { method } } });
    assert.ok(answer.status < 300, answer.text);
    await waitUntil('the changed day', async () => (await readSteps()).value !== before_, 30_000);
  }
  async function readSteps() {
    const api = dashboard.service.api(dashboard.service.keys.sandbox);
    return (await api.get(`/v1/users/${userId}/daily/explain?metric=steps&date=${yesterday}`)).body.data;
  }
  const open = (path: string, more: Parameters<typeof mockApi>[1] = {}) =>
    dashboard.open(`${base}${path}`, { member, prepare: (page) => mockApi(page, more) });
  const isComplete = (page: Page) => page.getByRole('article', { name: 'Steps' }).getByText('Quarter hours').waitFor();

  it('shows every state of the page', async () => {
    await checkPage(dashboard, {
      name: 'day',
      path: `${base}/day/${yesterday}?metric=steps`,
      member,
      call: `GET /sandbox/users/${userId}/days/${yesterday}/river`,
      async ready(page) {
        await page.getByRole('slider').waitFor();
        await isComplete(page);
      },
      empty: {
        path: `${(await createEmptyUser(dashboard)).path}/day/${yesterday}`,
        ready: (page) => page.getByText('No source sent data for this day').waitFor(),
      },
    });
  });

  it('answers support: the value, the sentence, what the default would give, and a text for the ticket', async () => {
    const page = await open('');
    await page.waitForURL(`**/day/${yesterday}**`);
    await page.getByRole('button', { name: /^Steps/ }).click();
    await page.waitForURL('**metric=steps**');
    const article = page.getByRole('article', { name: 'Steps' });
    const { value, candidates } = await readSteps();
    const shown = value.toLocaleString('en-US');
    await article.getByText(shown, { exact: true }).first().waitFor();
    await article.getByText(/not counted, because the method is/).waitFor();
    await article.getByText(/The default, merge, would give/).waitFor();
    await article.getByRole('button', { name: 'Copy the explanation' }).click();
    const answer = (await page.evaluate('navigator.clipboard.readText()')) as string;
    assert.match(answer, new RegExp(`^Steps on .* \\(UTC\\): ${shown}`));
    assert.equal(answer.split('\n').filter((line) => /^\d\. /.test(line)).length, candidates.length);
    assert.match(answer, /Method: priority, changed for this user/);
  });

  it('moves by quarter hours with the arrow keys in the river, and by days elsewhere', async () => {
    const page = await open(`/day/${yesterday}?metric=steps`);
    await isComplete(page);
    const river = page.getByRole('slider');
    await river.focus();
    const [start, text] = [await river.getAttribute('aria-valuenow'), await river.getAttribute('aria-valuetext')];
    await page.keyboard.press('ArrowLeft');
    assert.equal(await river.getAttribute('aria-valuenow'), String(Number(start) - 1));
    assert.notEqual(await river.getAttribute('aria-valuetext'), text);
    await page.keyboard.press('Home');
    assert.equal(await river.getAttribute('aria-valuenow'), '0');
    assert.equal(new URL(page.url()).pathname.endsWith(yesterday), true);

    await page.locator('body').evaluate('document.activeElement.blur()');
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(`**/day/${dateBefore(2)}?metric=steps`);
    await page.getByRole('heading', { level: 2, name: titleOf(dateBefore(2)) }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(`**/day/${yesterday}?metric=steps`);
    await page.keyboard.press('t');
    await page.waitForURL(`**/day/${dateBefore(0)}?metric=steps`);
  });

  it('links the days of the week, which open without a new page', async () => {
    const page = await open(`/day/${yesterday}?metric=steps`);
    await isComplete(page);
    await page.evaluate('window.isSamePage = true');
    const link = page.locator(`nav a[href*="${dateBefore(3)}"]`);
    assert.match((await link.getAttribute('href')) ?? '', /^\/dashboard\/sandbox\/users\/.+\?metric=steps$/);
    await link.click();
    await page.waitForURL(`**/day/${dateBefore(3)}?metric=steps`);
    await page.getByRole('heading', { level: 2, name: titleOf(dateBefore(3)) }).waitFor();
    assert.equal(await page.evaluate('window.isSamePage'), true);
  });

  it('jumps to today, copies the day as a call, and saves it', async () => {
    const page = await open(`/day/${yesterday}?metric=steps`);
    await isComplete(page);
    await page.getByLabel('More about this day').click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied').waitFor();
    const call = (await page.evaluate('navigator.clipboard.readText()')) as string;
    assert.match(call, new RegExp(`/v1/users/${userId}/daily\\?from_date=${yesterday}&to_date=${yesterday}"$`));
    const saved = page.waitForEvent('download');
    await page.getByLabel('More about this day').click();
    await page.getByRole('button', { name: 'CSV of this day' }).click();
    assert.equal((await saved).suggestedFilename(), `ines-${yesterday}.csv`);
    await page.getByRole('button', { name: 'Today' }).click();
    await page.waitForURL(`**/day/${dateBefore(0)}?metric=steps`);
    await page.getByRole('button', { name: 'Day after', disabled: true }).waitFor();
  });

  it('shows new data when it arrives', async () => {
    const { service } = dashboard;
    const user = await createUser(service.api(), { external_ref: 'noor', timezone: 'UTC' });
    const phone = await startPhone(service, user.id, { platform: 'android' });
    const upload = (hour: number, value: number) => {
      const [start, end] = [hour, hour + 1].map((one) => `${yesterday}T${String(one).padStart(2, '0')}:00:00Z`);
      return phone.upload({ source: WATCH, samples: [{ metric: 'steps', start, end, value }] });
    };
    await upload(8, 1_200);
    let isFollowing: Promise<unknown> = Promise.resolve();
    const page = await dashboard.open(`/live/users/${user.id}/day/${yesterday}?metric=steps`, {
      member: await dashboard.createMember('viewer'),
      prepare: async (opened) => {
        isFollowing = opened.waitForResponse((response) => response.url().includes('/live?topics='));
      },
    });
    const article = page.getByRole('article', { name: 'Steps' });
    await article.getByText('1,200', { exact: true }).first().waitFor();
    await isFollowing;
    await upload(10, 900);
    await article.getByText('2,100', { exact: true }).first().waitFor();
  });

  it('draws what is counted and what is not, and the sources as a ribbon', async () => {
    const page = await open(`/day/${yesterday}?metric=steps`);
    await isComplete(page);
    const { candidates } = await readSteps();
    const count = (part: string) => page.locator(`[role=slider] [data-part=${part}][d*=M]`).count();
    assert.equal(await count('counted'), 1);
    assert.equal(await count('not-counted'), candidates.length - 1);
    assert.equal(await page.locator('[role=slider] [data-part=ribbon]').count(), 2);
    await page
      .getByText(/[\d,]+ not counted/)
      .first()
      .waitFor();
    const cells = page.getByRole('article').getByRole('img').first();
    const first = Number.parseFloat((await cells.locator('path[d*=M]').first().getAttribute('d'))?.slice(1) ?? '');
    const { width } = (await cells.boundingBox()) ?? assert.fail('no cells');
    await cells.hover({ position: { x: (first / 480) * width, y: 10 } });
    assert.match((await cells.locator('title').textContent()) ?? '', /^\d\d:\d\d: [\d,.]+, (not )?counted$/);
  });

  it('adds a chart, and keeps it in the address', async () => {
    const page = await open(`/day/${yesterday}?metric=steps`);
    await isComplete(page);
    await page.getByText('Add a chart').click();
    const first = page.locator('details[open] button').first();
    const name = (await first.textContent()) ?? '';
    await first.click();
    await page.waitForURL('**charts=**');
    await page.getByRole('definition').locator('..').getByText(name, { exact: true }).waitFor();
  });

  it('says of an empty day when each source last sent data', async () => {
    const page = await open('/day/2020-01-01');
    await page.getByText('No source sent data for this day').waitFor();
    await page
      .getByText(/: last data|: no data yet/)
      .first()
      .waitFor();
  });

  it('shows the failure of one part and keeps the others', async () => {
    const path = `/sandbox/users/${userId}/days/${yesterday}`;
    let fails = true;
    const page = await open(`/day/${yesterday}?metric=steps`, {
      [`GET ${path}/river`]: () => (fails ? FAILURE : { body: EMPTY_RIVER(yesterday) }),
    });
    await page.getByText('The chart of this day could not be loaded.').waitFor();
    await isComplete(page);
    fails = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No source sent data for this day').waitFor();
  });

  it('shows shapes while a slow call runs, and keeps the day before on screen', async () => {
    const path = `/sandbox/users/${userId}/days/${dateBefore(2)}`;
    let release: () => void = () => undefined;
    const later = new Promise<void>((resolve) => {
      release = resolve;
    });
    const page = await open(`/day/${yesterday}?metric=steps`, {
      [`GET ${path}/river`]: { body: EMPTY_RIVER(dateBefore(2)), after: later },
    });
    await isComplete(page);
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(`**/day/${dateBefore(2)}**`);
    await page.getByRole('slider').waitFor();
    release();
    await page.getByText('No source sent data for this day').waitFor();
  });
});

const titleOf = (date: string) =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${date}T12:00:00Z`),
  );

const EMPTY_RIVER = (date: string) => ({
  date,
  zone: 'UTC',
  from: `${date}T00:00:00Z`,
  to: new Date(Date.parse(date) + DAY_MS).toISOString(),
  day_start: `${date}T00:00:00Z`,
  hours: 24,
  sleeps: [],
  workouts: [],
  metrics: [],
  available: [],
});
