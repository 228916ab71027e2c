// The list of users, creating one, and finding anything with ⌘K.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createUser } from '../../server/test/support/test-users.ts';
import { checkPage } from './support/check-page.ts';
import { mockApi } from './support/mock-api.ts';
import { createAda, dateBefore } from './support/sandbox-users.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

describe('users', () => {
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
      name: 'users',
      path: '/sandbox/users',
      member,
      call: 'GET /sandbox/users',
      ready: (page) => page.getByRole('link', { name: 'ada', exact: true }).waitFor(),
      empty: { path: '/live/users', ready: (page) => page.getByText('No users yet').waitFor() },
    });
  });

  it('searches and filters in the address, and opens a person by keyboard', async () => {
    const page = await dashboard.open('/sandbox/users', { member });
    await page.getByRole('searchbox').fill('nobody');
    await page.waitForURL('**q=nobody');
    await page.getByText('Nobody matches').waitFor();
    await page.getByRole('button', { name: 'Show all users' }).click();
    await page.getByRole('link', { name: 'ada', exact: true }).waitFor();
    await page.locator('body').evaluate('document.activeElement.blur()');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/users/${ada.id}/day/**`);
  });

  it('shows nobody of the sandbox while the users of live load', async () => {
    const answered = Promise.withResolvers<void>();
    const page = await dashboard.open('/sandbox/users', {
      member,
      prepare: (opened) => mockApi(opened, { 'GET /live/users': { status: 500, body: null, after: answered.promise } }),
    });
    await page.getByRole('link', { name: 'ada', exact: true }).waitFor();
    const asked = page.waitForRequest((request) => request.url().includes('/dashboard/api/live/users'));
    await page.getByRole('link', { name: 'Live' }).click();
    await asked;
    await page.getByRole('link', { name: 'ada', exact: true }).waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).pathname, '/dashboard/live/users');
    answered.resolve();
  });

  it('begins anew with each person, also after going back', async () => {
    const { service } = dashboard;
    const bob = await createUser(service.api(service.keys.sandbox), { external_ref: 'bob', timezone: 'UTC' });
    const page = await dashboard.open(`${ada.path}/day/${dateBefore(2)}`, { member });
    const search = page.getByRole('searchbox');
    await search.waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('bob');
    await page.getByRole('option', { name: /^bob/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/users/${bob.id}/day/**`);
    await search.fill('weight');
    await page.goBack();
    await page.waitForURL(`**/users/${ada.id}/day/**`);
    await page.getByRole('heading', { name: 'ada', level: 1 }).waitFor();
    await search.waitFor();
    assert.equal(await search.inputValue(), '');
  });

  it('creates a user and opens it', async () => {
    const page = await dashboard.open('/sandbox/users', { member });
    await page.getByRole('link', { name: 'ada', exact: true }).waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Reference', { exact: true }).fill('grace');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'grace', level: 1 }).waitFor();
  });

  it('finds a person by reference and by id with ⌘K, and a page', async () => {
    const page = await dashboard.open('/sandbox/keys', { member });
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    for (const text of ['ada', ada.id]) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill(text);
      await page.getByRole('option', { name: /^ada/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/users/${ada.id}/**`);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('roster');
    await page
      .getByRole('option', { name: /Roster/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sandbox/roster**');
  });
});
