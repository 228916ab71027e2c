// The frame of the dashboard: navigation, environments, theme, keys, and its behaviour without a session or a service.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkViews } from './support/check-views.ts';
import { mockApi, SESSION } from './support/mock-api.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

describe('the shell', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.stop());

  const signedIn = (page: Page) =>
    mockApi(page, {
      'GET /session': { body: SESSION },
      'GET /sandbox/keys': { body: { data: [] } },
      'GET /live/keys': { body: { data: [] } },
    });

  it('shows the frame in light and dark, wide and narrow', async () => {
    await checkViews(dashboard, {
      name: 'shell',
      path: '/sandbox/keys',
      prepare: signedIn,
      ready: (page) => page.getByRole('heading', { name: 'Keys' }).waitFor(),
    });
  });

  it('leads to sign-in without a session, and remembers where the person was', async () => {
    const page = await dashboard.open('/live/keys', {
      prepare: (opened) =>
        mockApi(opened, {
          'GET /session': { status: 401, body: { error: 'missing_token', message: 'Sign in.', details: {} } },
          'GET /live/keys': { status: 401, body: { error: 'missing_token', message: 'Sign in.', details: {} } },
        }),
    });
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('next'), '/live/keys');
  });

  it('starts again if another account was opened in another tab', async () => {
    const accounts: [string, string | null][] = [];
    const page = await dashboard.open('/sandbox/keys', {
      prepare: async (opened) => {
        opened.on('request', (request) => {
          const [, path] = new URL(request.url()).pathname.split('/dashboard/api');
          if (path) accounts.push([`${request.method()} ${path}`, request.headers()['x-tributary-account'] ?? null]);
        });
        await mockApi(opened, {
          'GET /session': { body: SESSION },
          'GET /sandbox/keys': { body: { data: [] } },
          'GET /live/keys': {
            status: 409,
            body: { error: 'account_changed', message: 'Reload the page.', details: {} },
          },
        });
      },
    });
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    const again = page.waitForRequest((request) => request.url().endsWith('/dashboard/api/session'));
    await page.getByRole('link', { name: 'Live' }).click();
    await again;
    const sent = accounts.filter(([call]) => call === 'GET /session' || call === 'GET /live/keys');
    assert.deepEqual(sent, [
      ['GET /session', null],
      ['GET /live/keys', SESSION.account.id],
      ['GET /session', null],
    ]);
  });

  it('stays locked after 15 idle minutes, however often Escape is pressed', async () => {
    const page = await dashboard.open('/sandbox/keys', {
      prepare: async (opened) => {
        await signedIn(opened);
        await opened.addInitScript("sessionStorage.setItem('locked', 'yes')");
      },
    });
    const password = page.getByRole('dialog').getByLabel('Password');
    await password.waitFor();
    for (let pressed = 0; pressed < 4; pressed += 1) await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await password.waitFor();
    assert.equal(await page.getByRole('combobox').count(), 0);
  });

  it('switches the environment in the address', async () => {
    const page = await dashboard.open('/sandbox/keys', { prepare: signedIn });
    await page.getByRole('link', { name: 'Live' }).click();
    await page.waitForURL('**/dashboard/live/keys');
  });

  it('lists its keys with ?', async () => {
    const page = await dashboard.open('/sandbox/keys', { prepare: signedIn });
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Go to Keys').waitFor();
  });
});
