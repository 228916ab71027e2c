// The pages of requests: the list with its filters, newer calls, one call with its error.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createUser } from '../../server/test/support/test-users.ts';
import { checkAccessibility, checkViews, saveShot } from './support/check-views.ts';
import { FAILURE, mockApi, SESSION } from './support/mock-api.ts';
import { OVERVIEW, REFUSED, REFUSED_ID, REQUESTS } from './support/sample-requests.ts';
import { KEYS } from './support/sample-settings.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const ANSWERS = {
  'GET /session': { body: SESSION },
  'GET /sandbox/keys': { body: KEYS },
  'GET /sandbox/overview': { body: OVERVIEW },
  'GET /sandbox/requests': { body: REQUESTS },
  [`GET /sandbox/requests/${REFUSED_ID}`]: { body: REFUSED },
};

describe('requests', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.stop());

  const withRequests = (page: Page) => mockApi(page, ANSWERS);
  const open = (path: string, answers: Parameters<typeof mockApi>[1] = {}) =>
    dashboard.open(path, { prepare: (page) => mockApi(page, { ...ANSWERS, ...answers }) });

  it('lists calls below the counts of the day', async () => {
    await checkViews(dashboard, {
      name: 'requests',
      path: '/sandbox/requests',
      prepare: withRequests,
      ready: async (page) => {
        await page.getByText('/users/{otto}/daily?types=stepz').waitFor();
        await page.getByRole('img', { name: /^Requests in the last 24 hours: / }).waitFor();
      },
    });
  });

  it('explains one call that was refused', async () => {
    await checkViews(dashboard, {
      name: 'request',
      path: `/sandbox/requests/${REFUSED_ID}`,
      prepare: withRequests,
      ready: async (page) => {
        await page.getByText('This happens when: a metric is not in the catalog').waitFor();
        await page.getByText('Backend …UZIM').waitFor();
      },
    });
  });

  it('keeps filters in the address and sends them to the service', async () => {
    const page = await open('/sandbox/requests');
    const asked = page.waitForRequest((request) => /status=4xx/.test(request.url()) && /q=daily/.test(request.url()));
    await page.getByRole('button', { name: 'Client errors (4xx)' }).click();
    await page.getByLabel('Path, error code or program').fill('daily');
    await asked;
    await page.waitForURL(/outcome=4xx.*q=daily/);
    await page.getByLabel('Method').selectOption('GET');
    await page.getByLabel('Key', { exact: true }).selectOption({ label: 'Backend …UZIM' });
    await page.waitForURL(/key=.*method=GET|method=GET.*key=/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL((url) => url.search === '');
  });

  it('counts newer calls instead of moving the list, and shows them when asked', async () => {
    let calls = 0;
    const newest = { ...REQUESTS.data[0], id: 'req_0000000000000000zz', path: '/v1/users?limit=99' };
    const page = await open('/sandbox/requests', {
      'GET /sandbox/requests': () => {
        calls += 1;
        return { body: calls === 1 ? REQUESTS : { ...REQUESTS, data: [newest, ...REQUESTS.data] } };
      },
    });
    await page.getByRole('button', { name: 'Show 1 new' }).waitFor();
    assert.equal(await page.getByText('/users?limit=99').count(), 0);
    await page.getByRole('button', { name: 'Show 1 new' }).click();
    await page.getByText('/users?limit=99').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Show .* new$/ }).count(), 0);
  });

  it('opens a call by keyboard', async () => {
    const page = await open('/sandbox/requests');
    await page.getByText('/users/{otto}/daily?types=stepz').waitFor();
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL(`**/requests/${REFUSED_ID}`);
    await page.getByText('invalid_metric').first().waitFor();
    const docs = page.getByRole('link', { name: 'All error codes' });
    assert.equal(await docs.getAttribute('href'), '/docs/errors#invalid_metric');
  });

  it('saves a CSV file with the filters of the screen', async () => {
    const page = await open('/sandbox/requests?outcome=4xx', {});
    await page.getByText('/users/{otto}/daily?types=stepz').waitFor();
    const asked = page.waitForRequest(
      (request) => request.headers().accept === 'text/csv' && /status=4xx/.test(request.url()),
    );
    await page.getByRole('button', { name: 'CSV' }).last().click();
    await asked;
  });

  it('shows a real call, found by the reference of its user', async () => {
    const { service } = dashboard;
    const api = service.api(service.keys.sandbox);
    const user = await createUser(api, { external_ref: 'requests-ada' });
    await api.get(`/v1/users/${user.id}`);
    await service.running.services.requestLog.flush();
    const member = await dashboard.createMember('viewer');
    const page = await dashboard.open('/sandbox/requests?user=requests-ada', { member });
    await page.getByRole('link', { name: '/users/{requests-ada}' }).click();
    await page.getByText('GET /v1/users/:user_id').waitFor();
    await checkAccessibility(page, 'a real call');
  });

  it('explains an empty list', async () => {
    const none = { requests: { n: Array(24).fill(0), bad: Array(24).fill(0) } };
    await checkViews(dashboard, {
      name: 'requests-empty',
      path: '/sandbox/requests',
      prepare: (page) =>
        mockApi(page, {
          ...ANSWERS,
          'GET /sandbox/requests': { body: { data: [], next_cursor: null } },
          'GET /sandbox/overview': {
            body: { ...OVERVIEW, latency: null, series: { ...OVERVIEW.series, ...none } },
          },
        }),
      ready: (page) => page.getByText('No request yet', { exact: true }).waitFor(),
    });
  });

  it('shows a failure where it is, and tries again', async () => {
    let isFailing = true;
    const page = await open('/sandbox/requests', {
      'GET /sandbox/requests': () => (isFailing ? FAILURE : { body: REQUESTS }),
    });
    await page.getByText('The requests could not be loaded.').waitFor();
    await page.getByRole('img', { name: /^Requests in the last 24 hours: / }).waitFor();
    await saveShot(page, 'requests-failing');
    await checkAccessibility(page, 'a failure');
    isFailing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('/users/{otto}/daily?types=stepz').waitFor();
  });

  it('shows shapes while a slow call runs', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const page = await open('/sandbox/requests', { 'GET /sandbox/requests': { body: REQUESTS, after: promise } });
    await page.getByText('Loading').first().waitFor({ state: 'attached' });
    await saveShot(page, 'requests-slow');
    resolve();
    await page.getByText('/users/{otto}/daily?types=stepz').waitFor();
  });
});
