// The consolidation of a user: what a change would do is seen before it is applied, and it can be undone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestMember } from '../../server/test/support/test-members.ts';
import { createUser } from '../../server/test/support/test-users.ts';
import { checkViews } from './support/check-views.ts';
import { FAILURE, mockApi } from './support/mock-api.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const DAY_MS = 86_400_000;
const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);

describe('the consolidation of a user', () => {
  let dashboard: Dashboard;
  let member: TestMember;
  let userId = '';
  let path = '';

  before(async () => {
    dashboard = await startDashboard();
    member = await dashboard.createMember('developer');
    const user = await createUser(api(), { external_ref: 'ines', timezone: 'UTC' });
    userId = user.id;
    path = `/sandbox/users/${userId}/consolidation`;
  });
  after(() => dashboard.stop());

  const api = () => dashboard.service.api(dashboard.service.keys.sandbox);
  const readSetting = async (key: string) => {
    const { body } = await api().get(`/v1/users/${userId}/consolidation`);
    return body.metrics.find((one: { key: string }) => one.key === key);
  };
  const open = (search = '', answers: Parameters<typeof mockApi>[1] = {}, who = member) =>
    dashboard.open(`${path}${search}`, { member: who, prepare: (page) => mockApi(page, answers) });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name }).waitFor();
  const isPreviewed = (page: Page) =>
    page
      .getByText(/days? changes?/)
      .first()
      .waitFor();

  it('looks right in light and dark, wide and narrow', async () => {
    await checkViews(dashboard, {
      name: 'consolidation',
      path: `${path}?key=steps&method=priority`,
      member,
      ready: async (page) => {
        await isPreviewed(page);
        await page
          .getByText(/quarter hours?/)
          .first()
          .waitFor();
      },
    });
  });

  it('groups metrics, finds one, and keeps it in the address', async () => {
    const page = await open();
    await page.getByText('Sources differ here').waitFor();
    await page.getByRole('searchbox', { name: 'Find a metric' }).fill('weight');
    await page.getByRole('button', { name: /^Weight/ }).click();
    await page.waitForURL('**key=weight**');
    await heading(page, 'Weight');
    await page.getByText('The default of the catalog applies.').waitFor();
  });

  it('previews, applies, computes and undoes a change', async () => {
    const page = await open('?key=steps');
    await heading(page, 'Steps');
    await page.getByText('Choose another method or disable a source.').waitFor();
    await page.getByRole('radio', { name: /^Priority/ }).check();
    await page.waitForURL('**method=priority**');
    await isPreviewed(page);
    assert.equal((await readSetting('steps')).method, 'merge', 'a preview stores nothing');
    const row = page.locator('table tbody tr').first();
    const [shownNow, shownAfter] = await row
      .locator('td')
      .allTextContents()
      .then((cells) => cells.slice(1, 3));
    assert.notEqual(shownNow, shownAfter?.replace('→ ', ''));

    await page.getByRole('button', { name: /^Apply/ }).click();
    await page.getByText(/Applied\. \d+ days? computed in/).waitFor();
    assert.deepEqual([(await readSetting('steps')).method, new URL(page.url()).search], ['priority', '?key=steps']);
    await page.getByText(/Set for this user by Test developer on .*, in the dashboard\./).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/Undone\. \d+ days? computed in/).waitFor();
    const restored = await readSetting('steps');
    assert.deepEqual([restored.method, restored.overridden], ['merge', false]);
  });

  it('shows the numbers of the call, and that the days match after it is applied', async () => {
    const { body } = await api().patch(`/v1/users/${userId}/consolidation?preview=true`, {
      metrics: { steps: { method: 'priority' } },
    });
    const change = body.changes.findLast((one: { metric: string }) => one.metric === 'steps');
    const page = await open('?key=steps&method=priority');
    await isPreviewed(page);
    const row = page.locator('table tbody tr').first();
    const cells = await row.locator('td').allTextContents();
    assert.equal(cells[1], change.from.toLocaleString('en-US'));
    assert.equal(cells[2]?.replace('→ ', '').trim(), change.to.toLocaleString('en-US'));
    assert.equal(
      await row.getByRole('link').getAttribute('href'),
      `/dashboard/sandbox/users/${userId}/day/${change.date}?metric=steps`,
    );
  });

  it('disables a source with its switch, by keyboard alone, and applies with the keyboard', async () => {
    const page = await open('?key=heart_rate');
    await heading(page, 'Heart rate');
    const first = page.getByRole('switch').first();
    await first.focus();
    await page.keyboard.press('Space');
    await page.waitForURL('**off=**');
    await page.getByText(/· Heart rate: .* disabled/).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.search.includes('off='));
    assert.equal(await first.isChecked(), true);

    await page.getByRole('radio', { checked: true }).focus();
    await page.keyboard.press('ArrowDown');
    await page.waitForURL('**method=**');
    await page.getByRole('button', { name: /^Apply/, disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText(/Heart rate: Applied\./).waitFor();
    assert.equal((await readSetting('heart_rate')).overridden, true);
    await page.getByRole('button', { name: 'Use the default' }).click();
    await page.getByRole('button', { name: /^Apply/, disabled: false }).click();
    await page.getByText('The default of the catalog applies.').waitFor();
    assert.equal((await readSetting('heart_rate')).overridden, false);
  });

  it('says why nothing would change', async () => {
    const page = await open('?key=weight');
    await heading(page, 'Weight');
    const radios = page.getByRole('radio');
    await radios.last().check();
    await page.getByText('Nothing would change.').waitFor();
  });

  it('is read-only for viewers', async () => {
    const viewer = await dashboard.createMember('viewer');
    const page = await open('?key=steps&method=priority', {}, viewer);
    await page.getByText('Only developers and owners can change how values are consolidated.').waitFor();
    assert.equal(await page.getByRole('radio', { name: /^Merge/ }).isChecked(), true);
    assert.equal(await page.getByRole('radio').first().isDisabled(), true);
    assert.equal(await page.getByRole('switch').first().isDisabled(), true);
    assert.equal(await page.getByRole('button', { name: /^Apply/ }).count(), 0);
  });

  it('shows an empty user without sources', async () => {
    const { body } = await api().post('/v1/users', { external_ref: 'empty', timezone: 'UTC', seed: false });
    const id = body.data?.id ?? body.id;
    const page = await dashboard.open(`/sandbox/users/${id}/consolidation?key=steps`, { member });
    await page.getByText('No source has sent this metric in the last 30 days.').waitFor();
  });

  it('shows a failed preview, and computes it when asked again', async () => {
    let fails = true;
    const page = await dashboard.open(`${path}?key=steps&method=priority`, {
      member,
      prepare: async (opened) => {
        await opened.route(`**/v1/users/${userId}/consolidation?preview*`, (route) =>
          fails
            ? route.fulfill({ status: 500, contentType: 'application/json', body: JSON.stringify(FAILURE.body) })
            : route.fallback(),
        );
      },
    });
    await page.getByText('The preview could not be computed.').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Apply/ }).isDisabled(), true);
    fails = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await isPreviewed(page);
  });

  it('shows the failure of the whole, and shapes while it is slow', async () => {
    let release: () => void = () => undefined;
    const later = new Promise<void>((resolve) => {
      release = resolve;
    });
    const page = await open('?key=steps', { [`GET ${path}`]: { ...FAILURE, after: later } });
    await page.locator('[aria-busy=true]').first().waitFor();
    release();
    await page.getByText('The consolidation settings could not be loaded.').waitFor();
  });

  it('answers why an app shows a number: search, day, explanation, consolidation', async () => {
    await api().patch(`/v1/users/${userId}/consolidation`, { metrics: { steps: { method: 'priority' } } });
    const page = await dashboard.open('/sandbox/users', { member });
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ines');
    await page.getByRole('option', { name: /ines/ }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/users/${userId}/day/${yesterday}**`);
    await page.getByRole('button', { name: /^Steps/ }).click();
    const article = page.getByRole('article', { name: 'Steps' });
    await article.getByText(/not counted, because the method is/).waitFor();
    const { data } = (await api().get(`/v1/users/${userId}/daily/explain?metric=steps&date=${yesterday}`)).body;
    await article.getByText(data.value.toLocaleString('en-US'), { exact: true }).first().waitFor();
    assert.equal(
      await article
        .getByRole('listitem')
        .filter({ hasText: /counted/ })
        .count(),
      data.candidates.length,
    );
    await article.getByRole('link', { name: 'Preview the default' }).click();
    await page.waitForURL('**/consolidation?key=steps&method=merge**');
    await heading(page, 'Steps');
    assert.equal(await page.getByRole('radio', { name: /^Merge/ }).isChecked(), true);
    await isPreviewed(page);
  });
});
