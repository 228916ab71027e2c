// The pages of webhooks: health, one webhook, the inspector of deliveries, and every change.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccessibility, checkViews, saveShot } from './support/check-views.ts';
import { FAILURE, mockApi, SESSION } from './support/mock-api.ts';
import { DELIVERIES, FAILING, FAILING_ID, inspected, WEBHOOKS } from './support/sample-webhooks.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const ANSWERS = {
  'GET /session': { body: SESSION },
  'GET /sandbox/webhooks': { body: WEBHOOKS },
  [`GET /sandbox/webhooks/${FAILING_ID}`]: { body: FAILING },
  'GET /sandbox/deliveries': { body: DELIVERIES },
  ...Object.fromEntries(DELIVERIES.data.map((one) => [`GET /sandbox/deliveries/${one.id}`, { body: inspected(one) }])),
};
const ADDRESS = `/sandbox/webhooks/${FAILING_ID}`;
const NONE = { data: [], next_cursor: null };

describe('webhooks', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.stop());

  const withWebhooks = (page: Page) => mockApi(page, ANSWERS);
  const open = (path: string, answers: Parameters<typeof mockApi>[1] = {}) =>
    dashboard.open(path, { prepare: (page) => mockApi(page, { ...ANSWERS, ...answers }) });

  it('shows the health of every webhook', async () => {
    await checkViews(dashboard, {
      name: 'webhooks',
      path: '/sandbox/webhooks',
      prepare: withWebhooks,
      ready: (page) => page.getByText('Failing for 60 min').or(page.getByText('Failing for 1 h')).waitFor(),
    });
  });

  it('shows one webhook with the newest delivery that failed', async () => {
    await checkViews(dashboard, {
      name: 'webhook',
      path: ADDRESS,
      prepare: withWebhooks,
      ready: async (page) => {
        await page.getByText('Your endpoint responded with 500.').waitFor();
        await page.getByText('67 deliveries are waiting; nothing is lost.').waitFor();
      },
    });
  });

  it('shows the deliveries of all webhooks', async () => {
    await checkViews(dashboard, {
      name: 'deliveries',
      path: '/sandbox/webhooks/deliveries',
      prepare: withWebhooks,
      ready: (page) => page.getByText('linus').waitFor(),
    });
  });

  it('opens the delivery and the attempt of the address, and changes both by keyboard', async () => {
    const [, second] = DELIVERIES.data;
    const page = await open(`${ADDRESS}?delivery=${second?.id}&attempt=1`);
    await page.getByRole('heading', { name: /^ada · scores changed/ }).waitFor();
    await page.getByText('Your endpoint responded with 500.').waitFor();
    await page.getByRole('button', { name: 'Attempt 2: no response' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('No response within 15 seconds.').waitFor();
    assert.match(page.url(), /attempt=2/);
    await page.getByRole('button', { name: 'Attempt 2: no response' }).blur();
    for (const key of ['j', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: /^grace · new data/ }).waitFor();
    assert.match(page.url(), new RegExp(`delivery=${DELIVERIES.data[0]?.id}`));
  });

  it('keeps filters in the address and sends them to the service', async () => {
    const page = await open(ADDRESS);
    const asked = page.waitForRequest((request) => /status=failed.*event_type=data.updated/.test(request.url()));
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    await page.getByLabel('Event', { exact: true }).selectOption('data.updated');
    await asked;
    assert.match(page.url(), /status=failed/);
    await page.getByLabel('User id or reference').fill('ada');
    await page.waitForURL(/user=ada/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL((url) => !url.search.includes('status'));
  });

  it('sends a delivery again with r', async () => {
    const [first] = DELIVERIES.data;
    let isSent = false;
    const page = await open(ADDRESS, {
      [`POST /sandbox/v1/webhooks/${FAILING_ID}/deliveries/${first?.id}/retry`]: () => {
        isSent = true;
        return { status: 202, body: { data: first } };
      },
      [`GET /sandbox/deliveries/${first?.id}`]: () => {
        const { data } = inspected(first as NonNullable<typeof first>);
        const made = { ...data.attempts[0], status: 204, error: null, response_body: '', duration_ms: 38 };
        return {
          body: isSent ? { data: { ...data, status: 'succeeded', attempts: [...data.attempts, made] } } : { data },
        };
      },
    });
    await page.getByText('Your endpoint responded with 500.').waitFor();
    await page.keyboard.press('r');
    await page.getByText('Delivered in 38 ms.').waitFor();
    await saveShot(page, 'webhook-sent-again');
    await checkAccessibility(page, 'a delivery sent again');
  });

  it('counts what a recovery would send, then sends it', async () => {
    const page = await open(ADDRESS, {
      [`POST /sandbox/webhooks/${FAILING_ID}/recover`]: (body) => ({
        body: { count: 41, dry_run: (body as { dry_run?: boolean }).dry_run ?? false },
      }),
    });
    await page.getByRole('button', { name: 'Recover…' }).click();
    await page.getByRole('button', { name: 'Send 41 deliveries again' }).waitFor();
    await saveShot(page, 'webhook-recover');
    await checkAccessibility(page, 'the recovery');
    await page.getByRole('button', { name: 'Send 41 deliveries again' }).click();
    await page.getByText('41 deliveries are being sent again.').waitFor();
  });

  it('checks a secret in the browser', async () => {
    const page = await open(ADDRESS);
    await page.getByText('Check a signature').click();
    await page.getByLabel('Signing secret').fill('secret');
    await page.getByText('This is not a signing secret.').waitFor();
    await page.getByLabel('Signing secret').fill(`whsec_${btoa('0123456789abcdef0123456789abcdef')}`);
    await page.getByText('The secret differs').waitFor();
    await saveShot(page, 'webhook-signature');
    await checkAccessibility(page, 'the signature');
  });

  it('asks before it deletes, and pauses', async () => {
    const calls: string[] = [];
    const page = await open(ADDRESS, {
      [`PATCH /sandbox/v1/webhooks/${FAILING_ID}`]: (body) => {
        calls.push(JSON.stringify(body));
        return { body: FAILING };
      },
      [`DELETE /sandbox/v1/webhooks/${FAILING_ID}`]: () => {
        calls.push('delete');
        return { status: 200 };
      },
    });
    const choose = async (name: string) => {
      await page.locator('summary[aria-label="More actions"]').click();
      await page.getByRole('button', { name }).click();
    };
    await choose('Pause');
    await choose('Delete…');
    await page.getByText('67 waiting deliveries are cancelled.').waitFor();
    await saveShot(page, 'webhook-delete');
    await page.getByRole('button', { name: 'Delete the webhook' }).click();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    assert.deepEqual(calls, ['{"status":"disabled"}', 'delete']);
  });

  it('adds an endpoint by keyboard, names the ways to a local one, and shows the secret once', async () => {
    const page = await dashboard.open('/sandbox/webhooks', { member: await dashboard.createMember('developer') });
    await page.getByText('No webhook yet').waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('URL').waitFor();
    await page.keyboard.type('http://localhost:3000/hooks');
    await page.keyboard.press('Enter');
    await page
      .locator('dialog')
      .getByText(/tributary listen.*TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS/)
      .waitFor();
    await saveShot(page, 'webhooks-local');
    await page.getByLabel('URL').fill('https://hooks.fitcoach.example/in');
    await page.keyboard.press('Enter');
    await page.getByText(/^whsec_[\w+/=]{20,}$/).waitFor();
    await checkAccessibility(page, 'the secret');
    await page.keyboard.press('Escape');
    await page.getByText(/^whsec_[\w+/=]{20,}$/).waitFor(); // Escape must not lose a secret that is shown once
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('heading', { name: 'hooks.fitcoach.example' }).waitFor();
    await page.getByText('Nothing was sent yet').waitFor();
  });

  it('explains an empty list', async () => {
    await checkViews(dashboard, {
      name: 'webhooks-empty',
      path: '/sandbox/webhooks',
      prepare: (page) => mockApi(page, { ...ANSWERS, 'GET /sandbox/webhooks': { body: { data: [] } } }),
      ready: (page) => page.getByText('No webhook yet').waitFor(),
    });
    const page = await open(ADDRESS, { 'GET /sandbox/deliveries': { body: NONE } });
    await page.getByText('Nothing was sent yet').waitFor();
    await saveShot(page, 'webhook-empty');
    await checkAccessibility(page, 'a webhook without deliveries');
  });

  it('shows a failure where it is, and tries again', async () => {
    let isFailing = true;
    const page = await open(ADDRESS, {
      'GET /sandbox/deliveries': () => (isFailing ? FAILURE : { body: DELIVERIES }),
    });
    await page.getByText('The deliveries could not be loaded.').waitFor();
    await page.getByText('67 deliveries are waiting; nothing is lost.').waitFor();
    await saveShot(page, 'webhook-failing');
    await checkAccessibility(page, 'a failure');
    isFailing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('linus').waitFor();
  });

  it('shows shapes while a slow call runs', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const page = await open('/sandbox/webhooks', { 'GET /sandbox/webhooks': { body: WEBHOOKS, after: promise } });
    await page.getByText('Loading').waitFor({ state: 'attached' });
    await saveShot(page, 'webhooks-slow');
    resolve();
    await page.getByText('Data warehouse').waitFor();
  });

  it('offers a viewer nothing to change', async () => {
    const page = await open(ADDRESS, { 'GET /session': { body: { ...SESSION, role: 'viewer' } } });
    await page.getByText('Your endpoint responded with 500.').waitFor();
    for (const name of ['Send a test', 'Recover…', /^Send again/])
      assert.equal(await page.getByRole('button', { name }).count(), 0);
  });
});
