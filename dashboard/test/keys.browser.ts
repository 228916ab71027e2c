// The page of API keys: every state of a key, creating, rotating and revoking.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkPage } from './support/check-page.ts';
import { checkAccessibility, saveShot } from './support/check-views.ts';
import { mockApi, SESSION } from './support/mock-api.ts';
import { KEYS, NEW_KEY } from './support/sample-settings.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

describe('keys', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.stop());

  const withKeys = (page: Page) =>
    mockApi(page, {
      'GET /session': { body: SESSION },
      'GET /sandbox/keys': { body: KEYS },
      'POST /sandbox/keys': { status: 201, body: NEW_KEY },
      [`POST /sandbox/keys/${KEYS.data[0]?.id}/rotate`]: { status: 201, body: NEW_KEY },
    });

  it('shows every state of a key, and of the page', async () => {
    await checkPage(dashboard, {
      name: 'keys',
      path: '/sandbox/keys',
      call: 'GET /sandbox/keys',
      answers: { 'GET /sandbox/keys': { body: KEYS } },
      ready: (page) => page.getByText('20,512').waitFor(),
      empty: {
        answers: { 'GET /sandbox/keys': { body: { data: [] } } },
        ready: (page) => page.getByText('No key yet').waitFor(),
      },
    });
  });

  it('shows a new key once, by keyboard only', async () => {
    const page = await dashboard.open('/sandbox/keys', { prepare: withKeys });
    await page.getByRole('button', { name: 'Create a key' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').waitFor();
    await page.keyboard.type('Mobile backend');
    await page.keyboard.press('Enter');
    await page.getByText(NEW_KEY.key, { exact: true }).waitFor();
    await saveShot(page, 'keys-new');
    await checkAccessibility(page, 'the new key');
    await page.keyboard.press('Escape');
    await page.getByText(NEW_KEY.key, { exact: true }).waitFor(); // Escape must not lose a key that is shown once
    await page.getByRole('button', { name: 'I have saved it' }).click();
    assert.equal(await page.getByText(NEW_KEY.key).count(), 0);
  });

  it('says what a rotation stops, and offers an overlap', async () => {
    const page = await dashboard.open('/sandbox/keys', { prepare: withKeys });
    await page.getByRole('button', { name: 'Rotate…' }).first().click();
    await page.getByText(/The key …UZIM was last used .* ago, node-fetch\. It works for 24 more hours\./).waitFor();
    await page.getByLabel('The old key stops').selectOption('0');
    await page.getByText(/It stops within a second/).waitFor();
    await saveShot(page, 'keys-rotate');
    await checkAccessibility(page, 'the rotation');
  });

  it('offers a viewer nothing to change', async () => {
    const page = await dashboard.open('/sandbox/keys', {
      prepare: (opened) =>
        mockApi(opened, {
          'GET /session': { body: { ...SESSION, role: 'viewer' } },
          'GET /sandbox/keys': { body: KEYS },
        }),
    });
    await page.getByText('Only owners can create, rotate and revoke keys.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Rotate…' }).count(), 0);
  });
});
