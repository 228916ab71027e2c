// The operator at night: what is broken, since when, whether anything is lost, and what to do, within three
// actions. The real service and a receiver that fails.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startPhone } from '../../server/test/support/test-phone.ts';
import { createUser } from '../../server/test/support/test-users.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { startSink, type WebhookSink } from '../../server/test/support/webhook-sink.ts';
import { checkAccessibility, saveShot } from './support/check-views.ts';
import { type Dashboard, startDashboard, WAIT_LIMIT_MS } from './support/start-dashboard.ts';

const PATH = '/in';

describe('the path from Home to a cause', () => {
  let dashboard: Dashboard;
  let sink: WebhookSink;
  before(async () => {
    sink = await startSink();
    dashboard = await startDashboard({ environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' } });
  });
  after(async () => {
    await dashboard.stop();
    await sink.close();
  });

  it('needs one action to the cause of a failing webhook, and one more to send again', async () => {
    const api = dashboard.service.api();
    sink.answer(PATH, 500);
    const target = { url: sink.url(PATH), events: ['*'], description: 'Warehouse' };
    assert.equal((await api.post('/v1/webhooks', target)).status, 201);
    const { id } = await createUser(api, { external_ref: 'ada' });
    const phone = await startPhone(dashboard.service, id, { key: dashboard.service.keys.live });
    await phone.upload({ samples: [{ metric: 'heart_rate', start: '2026-01-05T10:00:00Z', value: 61 }] });
    const member = await dashboard.createMember('owner', { isOperator: true });
    await sink.wait(PATH, 1, WAIT_LIMIT_MS);

    const page = await dashboard.open('/live/home', { member });
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('Warehouse answers 500').waitFor();
    await attention.getByText(/^Since \d\d:\d\d · \d+ events? waits?, nothing is lost/).waitFor();
    await checkAccessibility(page, 'home with a failure');

    await attention.getByRole('link').first().click();
    await page.getByText('Your endpoint responded with 500.').waitFor();
    await page.getByText(/\d+ deliver(y is|ies are) waiting; nothing is lost/).waitFor();
    await saveShot(page, 'operator-at-night');

    sink.answer(PATH, 204);
    await page.getByRole('button', { name: 'Send again' }).first().click();
    await waitUntil('the delivery succeeds', async () => {
      const { body } = await api.get('/v1/webhooks');
      return body.data[0].last_delivery_at !== null;
    });
  });
});
