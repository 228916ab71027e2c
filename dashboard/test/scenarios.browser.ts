// The scenarios of the sandbox: a new person, a scenario, and faults of simulated providers, with the real service.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createMember } from '../../server/test/support/test-members.ts';
import { checkViews } from './support/check-views.ts';
import { FAILURE, mockApi, SESSION } from './support/mock-api.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

describe('the scenarios page', () => {
  let dashboard: Dashboard;
  let cookie: string;
  before(async () => {
    dashboard = await startDashboard();
    cookie = (await createMember(dashboard.service, 'default', 'developer')).cookie;
  });
  after(() => dashboard.stop());

  const signedIn = async (page: Page) => {
    const [name = '', value = ''] = cookie.split('=');
    await page.context().addCookies([{ name, value, url: dashboard.service.url }]);
  };

  it('creates a person, runs a scenario and adds and removes a fault', async () => {
    const page = await dashboard.open('/sandbox/scenarios', { prepare: signedIn });
    await page.getByText('There is no sandbox user yet').waitFor();
    await page.getByRole('button', { name: 'New sandbox user' }).first().click();
    await page.getByLabel('Reference').fill('ada');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('ada is created, with a week of data.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByLabel('Three days without devices').check();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('neither the ring nor the watch was worn').waitFor();
    await page.getByRole('button', { name: 'Add a fault' }).click();
    await page.getByLabel('How often').fill('3');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByText('for 3 requests').waitFor();
    const { simulator } = dashboard.service.running.services;
    assert.deepEqual(
      (await simulator.listFaults()).map(({ kind, times }) => `${kind} ${times}`),
      ['rate_limited 3'],
    );
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('All simulated providers work.').waitFor();
  });

  it('is shown in light and dark, wide and narrow', async () => {
    await checkViews(dashboard, {
      name: 'scenarios',
      path: '/sandbox/scenarios',
      prepare: (page) =>
        mockApi(page, {
          'GET /session': { body: SESSION },
          'GET /sandbox/users': { body: { users: [{ id: 'u1', reference: 'ada' }], total: 1 } },
          'GET /sandbox/sandbox/faults': {
            body: {
              data: [{ id: 1, kind: 'rate_limited', provider: 'oura', account: null, times: 3 }],
              can_change: true,
            },
          },
        }),
      ready: (page) => page.getByText('for 3 requests').waitFor(),
    });
  });

  it('exists only in the sandbox', async () => {
    const page = await dashboard.open('/live/scenarios', { prepare: signedIn });
    await page.getByText('Scenarios exist only in the sandbox').waitFor();
  });

  it('shows each failure in its part', async () => {
    const page = await dashboard.open('/sandbox/scenarios', {
      prepare: (opened) =>
        mockApi(opened, {
          'GET /session': { body: SESSION },
          'GET /sandbox/users': FAILURE,
          'GET /sandbox/sandbox/faults': { body: { data: [], can_change: false } },
        }),
    });
    await page.getByText('The users could not be loaded.').waitFor();
    await page.getByText('Other accounts share the simulated providers').waitFor();
  });
});
