// Trends of a user: a tile per metric, and all samples of one metric.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkPage } from './support/check-page.ts';
import { createAda, createEmptyUser } from './support/sandbox-users.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

describe('trends of a user', () => {
  let dashboard: Dashboard;
  let member: Awaited<ReturnType<Dashboard['createMember']>>;
  let ada: Awaited<ReturnType<typeof createAda>>;
  before(async () => {
    dashboard = await startDashboard();
    [member, ada] = [await dashboard.createMember('developer'), await createAda(dashboard)];
  });
  after(() => dashboard.stop());

  it('shows every state of the page', async () => {
    await checkPage(dashboard, {
      name: 'trends',
      path: `${ada.path}/trends`,
      member,
      call: `GET /sandbox/v1/users/${ada.id}/daily`,
      async ready(page) {
        await page.getByRole('article').getByRole('link', { name: 'Steps' }).waitFor();
        await page.getByRole('application', { name: /^Heart rate over time/i }).waitFor();
      },
      empty: {
        path: `${(await createEmptyUser(dashboard)).path}/trends`,
        ready: (page) => page.getByText('No values in these days').waitFor(),
      },
    });
  });

  it('keeps range, category and search in the address, and leads to the day', async () => {
    const page = await dashboard.open(`${ada.path}/trends`, { member });
    await page.getByRole('article').first().waitFor();
    await page.getByText('7 days', { exact: true }).click();
    await page.waitForURL('**days=7**');
    await page.getByRole('searchbox').fill('steps');
    await page.waitForURL('**q=steps**');
    await page.getByRole('article').getByRole('link', { name: 'Steps' }).click();
    await page.waitForURL('**/day/*metric=steps*');
  });

  it('zooms into the samples by keyboard and by dragging, and back', async () => {
    const page = await dashboard.open(`${ada.path}/trends`, { member });
    const chart = page.getByRole('application');
    await chart.focus();
    await page.keyboard.press('+');
    await page.waitForURL('**from=**');
    const length = () => {
      const { searchParams } = new URL(page.url());
      return Number(searchParams.get('to')) - Number(searchParams.get('from'));
    };
    const half = length(); // of the days with data
    await page.keyboard.press('+');
    await page.waitForURL(() => Math.abs(length() - half / 2) < 1_000);
    await page.keyboard.press('0');
    await page.waitForURL((url) => !url.searchParams.has('from'));
    const box = (await chart.boundingBox()) ?? assert.fail('the chart is not drawn');
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 100, box.y + 100);
    await page.mouse.up();
    await page.waitForURL('**from=**');
    assert.ok(length() < half, `${length()} ms`);
  });
});
