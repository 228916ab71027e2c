// The day of a user: what every device measured, and why each value is what it is.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createMember } from '../../server/test/support/test-members.ts';
import { createUser } from '../../server/test/support/test-users.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { checkViews } from './support/check-views.ts';
import { FAILURE, mockApi, SESSION } from './support/mock-api.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const DAY_MS = 86_400_000;
const dateBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

describe('a day of a user', () => {
  let dashboard: Dashboard;
  let cookie: { name: string; value: string };
  let userId = '';
  let base = '';
  const yesterday = dateBefore(1);

  before(async () => {
    dashboard = await startDashboard();
    const { service } = dashboard;
    const api = service.api(service.keys.sandbox);
    const member = await createMember(service, 'default', 'developer');
    const [name = '', value = ''] = member.cookie.split('=');
    cookie = { name, value };
    const user = await createUser(api, { external_ref: 'ines', timezone: 'UTC', metadata: { plan: 'pro' } });
    userId = user.id;
    base = `/sandbox/users/${userId}`;
    await setMethod('priority');
  });
  after(() => dashboard.stop());

  async function setMethod(method: 'priority' | null): Promise<void> {
    const api = dashboard.service.api(dashboard.service.keys.sandbox);
    const before_ = (await readSteps()).value;
    const answer = await api.patch(`/v1/users/${userId}/consolidation`, { metrics: { steps: { method } } });
    assert.ok(answer.status < 300, answer.text);
    await waitUntil(async () => (await readSteps()).value !== before_);
  }
  async function readSteps() {
    const api = dashboard.service.api(dashboard.service.keys.sandbox);
    return (await api.get(`/v1/users/${userId}/daily/explain?metric=steps&date=${yesterday}`)).body.data;
  }
  const signIn = async (page: Page) => {
    await page.context().addCookies([{ ...cookie, url: dashboard.service.url }]);
    await mockApi(page, { 'GET /session': { body: SESSION } });
  };
  const open = (path: string, more: Parameters<typeof mockApi>[1] = {}) =>
    dashboard.open(`${base}${path}`, {
      prepare: async (page) => {
        await signIn(page);
        await mockApi(page, more);
      },
    });
  const isComplete = (page: Page) => page.getByRole('article', { name: 'Steps' }).getByText('Quarter hours').waitFor();

  it('looks right in light and dark, wide and narrow', async () => {
    await checkViews(dashboard, {
      name: 'day',
      path: `${base}/day/${yesterday}?metric=steps`,
      prepare: signIn,
      ready: isComplete,
    });
  });

  it('answers support: the value, the sentence, what the default would give, and a text for the ticket', async () => {
    const page = await open('');
    await page.waitForURL(`**/day/${yesterday}**`);
    await page.getByRole('button', { name: /^Steps/ }).click();
    await page.waitForURL('**metric=steps**');
    const article = page.getByRole('article', { name: 'Steps' });
    const { value, candidates } = await readSteps();
    const shown = value.toLocaleString('en-US');
    await article.getByText(shown, { exact: true }).first().waitFor();
    await article.getByText(/not counted, because the method is/).waitFor();
    await article.getByText(/The default, merge, would give/).waitFor();
    await article.getByRole('button', { name: 'Copy the answer' }).click();
    const answer = (await page.evaluate('navigator.clipboard.readText()')) as string;
    assert.match(answer, new RegExp(`^Steps on .* \\(UTC\\): ${shown}`));
    assert.equal(answer.split('\n').filter((line) => /^\d\. /.test(line)).length, candidates.length);
    assert.match(answer, /Method: priority, changed for this user/);
  });
});
