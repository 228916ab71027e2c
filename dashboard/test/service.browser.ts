// The service page of operators, and the scenarios of the sandbox.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkPage } from './support/check-page.ts';
import { checkAccessibility } from './support/check-views.ts';
import { mockApi, SESSION } from './support/mock-api.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const OPERATOR = { ...SESSION, member: { ...SESSION.member, is_operator: true } };
const minutes = (count: number) => new Date(Date.now() - count * 60_000).toISOString();
const stage = (name: string, waiting = 0, oldest: number | null = null, fields: object = {}) => ({
  name,
  provider: null,
  waiting,
  oldest_at: oldest === null ? null : minutes(oldest),
  parked: 0,
  is_late: false,
  command: null,
  ...fields,
});
const GIB = 1_073_741_824;
const STATE = {
  at: minutes(0),
  readiness: {
    status: 'degraded',
    checks: {
      database: { ok: true },
      migrations: { ok: true, applied: 21, expected: 21 },
      jobs: { ok: false, lag_seconds: 2, waiting: 3, given_up: 2 },
    },
  },
  processes: ['api', 'api', 'worker'].map((role, index) => ({
    id: `01a1e04c-0000-7000-8000-00000000020${index}`,
    role,
    version: '0.1.0',
    host: `tributary-${index + 1}`,
    pid: 812 + index,
    started_at: minutes(60 * 24 * 3),
    seen_at: minutes(0),
    is_alive: index !== 1,
    disk: { total_bytes: 200 * GIB, free_bytes: 84 * GIB },
  })),
  stages: [
    stage('provider_webhooks', 3, 0),
    stage('sync', 412, 31, { provider: 'oura', is_late: true, command: 'providers check oura' }),
    stage('scoring', 12, 1),
    stage('events'),
    stage('deliveries', 88, 2),
    stage('jobs', 3, 0),
  ],
  jobs_given_up: [{ name: 'send_roster_mail', count: 2, since: minutes(180) }],
  database: { bytes: 12.4 * GIB, version: '18.4' },
  keys: {
    master: [
      { fingerprint: '8adb9b632888ec71', created_at: minutes(60 * 24 * 90), seen_at: minutes(0), is_in_use: true },
    ],
    signing_key_created_at: minutes(60 * 24 * 12),
  },
};

/** In one call, because the second key has to follow soon. */
const PRESS_G_O = `for (const key of ['g', 'o']) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`;

describe('the service page', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.stop());

  const filled = (page: Page) => mockApi(page, { 'GET /session': { body: OPERATOR }, 'GET /service': { body: STATE } });

  it('shows every state of the page: what is wrong first, then stages, processes and keys', async () => {
    await checkPage(dashboard, {
      name: 'service',
      path: '/live/service',
      call: 'GET /service',
      prepare: filled,
      ready: (page) => page.getByText('Sync with Oura is late, 2 jobs failed permanently').waitFor(),
    });
  });

  it('opens with g o and offers the line to run', async () => {
    const page = await dashboard.open('/live/providers', {
      async prepare(opened) {
        await filled(opened);
        await mockApi(opened, { 'GET /live/providers': { body: { data: [] } } });
      },
    });
    await page.getByRole('link', { name: 'Service' }).first().waitFor();
    await page.evaluate(PRESS_G_O);
    await page.waitForURL('**/dashboard/live/service');
    await page.getByRole('table').getByRole('button', { name: 'Copy the command' }).press('Enter');
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'npx tributary providers check oura');
  });

  it('shows the state of the real service to an operator', async () => {
    const page = await dashboard.open('/live/service', {
      async prepare(opened) {
        const { cookie } = await signInOperator(dashboard);
        const [name = '', value = ''] = cookie.split('=');
        await opened.context().addCookies([{ name, value, url: dashboard.service.url }]);
      },
    });
    await page.getByText('API and worker').waitFor();
    await page.getByText('Everything runs').waitFor();
  });

  it('says who may see it to everybody else', async () => {
    const page = await dashboard.open('/live/service', {
      prepare: (opened) =>
        mockApi(opened, {
          'GET /session': { body: SESSION },
          'GET /service': {
            status: 403,
            body: { error: 'insufficient_role', message: 'Not allowed.', details: { needs: 'operator' } },
          },
        }),
    });
    await page.getByText('Only operators can see this page').waitFor();
    await checkAccessibility(page, 'the page of somebody else');
  });
});

async function signInOperator(dashboard: Dashboard) {
  const { createMember } = await import('../../server/test/support/test-members.ts');
  return createMember(dashboard.service, 'default', 'owner', { isOperator: true });
}
