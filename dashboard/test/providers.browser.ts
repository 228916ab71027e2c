// The providers page: cards, a check, an own application, and its states.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkPage } from './support/check-page.ts';
import { checkAccessibility, checkViews } from './support/check-views.ts';
import { mockApi, SESSION } from './support/mock-api.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const NOTHING = {
  people: { active: 0, reauthorize: 0 },
  syncs: [],
  webhooks: { runs: 0, last_at: null },
  budget: null,
  backoff: null,
};
const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
const provider = (id: string, name: string, application: string | null, health: object = NOTHING) => ({
  provider: id,
  display_name: name,
  application,
  client_id: application === 'account' ? 'fitcoach-live-4711' : null,
  redirect_uri: `https://health.fitcoach.example/connect/callback/${id}`,
  extra_credentials: id === 'garmin' ? ['subscription_key'] : [],
  health,
  restrictions: [],
  passed_on: false,
  unconfirmed: [],
});
const PROVIDERS = [
  provider('oura', 'Oura', 'account', {
    people: { active: 214, reauthorize: 2 },
    syncs: [
      { outcome: 'changed', runs: 1_204, last_at: minutes(-1) },
      { outcome: 'rate_limited', runs: 12, last_at: minutes(-30) },
    ],
    webhooks: { runs: 860, last_at: minutes(-1) },
    budget: { used: 4_310, of: 5_000, resets_at: minutes(3) },
    backoff: { devices: 12, until: minutes(4) },
  }),
  {
    ...provider('whoop', 'WHOOP', 'operator', {
      ...NOTHING,
      people: { active: 31, reauthorize: 0 },
      syncs: [{ outcome: 'changed', runs: 190, last_at: minutes(-4) }],
      budget: { used: 40, of: 10_000, resets_at: minutes(500) },
    }),
    restrictions: [
      { kind: 'no_ai', description: 'Its data must not be used with models.', days: null },
      { kind: 'retention', description: 'Responses may be kept for seven days.', days: 7 },
    ],
    unconfirmed: [{ part: 'naps', reason: 'No public client reads naps.', enabled: false }],
  },
  provider('garmin', 'Garmin', null),
  provider('polar', 'Polar', null),
];
const CHECKS = [
  {
    name: 'redirect URI',
    outcome: 'ok',
    message: 'register exactly this redirect URI: https://health.fitcoach.example',
  },
  { name: 'authorize page', outcome: 'ok', message: 'responds with 302' },
  { name: 'credentials', outcome: 'failed', message: 'Oura rejects the client id or secret; correct them' },
  { name: 'webhooks', outcome: 'unclear', message: 'could not read the subscriptions' },
];

describe('the providers page', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.stop());

  const filled = (page: Page) =>
    mockApi(page, {
      'GET /session': { body: SESSION },
      'GET /live/providers': { body: { data: PROVIDERS } },
      'POST /live/providers/oura/check': { body: { checks: CHECKS } },
    });
  const check = (page: Page) => page.getByRole('region', { name: 'Oura' }).getByRole('button', { name: 'Check' });

  it('shows every state of the page', async () => {
    await checkPage(dashboard, {
      name: 'providers',
      path: '/live/providers',
      call: 'GET /live/providers',
      prepare: filled,
      ready: (page) => page.getByText('216 people connected; 2 people have to connect again.').waitFor(),
    });
  });

  it('shows what a check found, in light and dark, wide and narrow', async () => {
    await checkViews(dashboard, {
      name: 'providers-check',
      path: '/live/providers',
      prepare: filled,
      async ready(page) {
        await check(page).click();
        await page.getByText('Oura rejects the client id or secret').waitFor();
      },
    });
  });

  it('puts providers that need somebody first', async () => {
    const page = await dashboard.open('/live/providers', { prepare: filled });
    await page.getByText('12 devices wait after a failure').waitFor();
    const titles = await page.getByRole('heading', { level: 2 }).allTextContents();
    assert.deepEqual(titles, ['Oura', 'WHOOP', 'Garmin', 'Polar']);
  });

  it('says what the terms of a provider forbid, and which parts are off', async () => {
    const page = await dashboard.open('/live/providers', { prepare: filled });
    const card = page.getByRole('region', { name: 'WHOOP', exact: true });
    await card.getByText('Its data must not be used with models.').waitFor();
    await card.getByText('No public client reads naps.').waitFor();
    assert.equal(await page.getByRole('region', { name: 'Restrictions of Garmin' }).count(), 0);
  });

  it('sets up an own application by keyboard', async () => {
    let sent: unknown = null;
    const page = await dashboard.open('/live/providers', {
      async prepare(opened) {
        await filled(opened);
        await mockApi(opened, {
          'PUT /live/providers/garmin/application': (body) => {
            sent = body;
            return { body: { provider: 'garmin', application: 'account' } };
          },
        });
      },
    });
    const card = page.getByRole('region', { name: 'Garmin' });
    await card.getByRole('button', { name: 'Set up…' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await checkAccessibility(page, 'the dialog of an application');
    await page.keyboard.type('my-client');
    await page.keyboard.press('Tab');
    await page.keyboard.type('my-secret');
    await page.keyboard.press('Tab');
    await page.keyboard.type('my-key');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    assert.deepEqual(sent, {
      client_id: 'my-client',
      client_secret: 'my-secret',
      extra_credentials: { subscription_key: 'my-key' },
    });
  });

  it('is read-only for a viewer, and leads to scenarios in the sandbox', async () => {
    const simulated = PROVIDERS.map((one) => ({ ...one, application: 'simulator', client_id: null }));
    const page = await dashboard.open('/sandbox/providers', {
      prepare: (opened) =>
        mockApi(opened, {
          'GET /session': { body: { ...SESSION, role: 'viewer' } },
          'GET /sandbox/providers': { body: { data: simulated } },
        }),
    });
    await page.getByRole('heading', { name: 'Oura' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Set up…' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Check' }).count(), 0);
    await page.getByRole('link', { name: 'Scenarios and faults' }).click();
    await page.waitForURL('**/dashboard/sandbox/scenarios');
  });
});
