// The path of a new developer: the link of the first start, the welcome page, the first steps, and the first calls, which
// Home shows as they arrive.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccessibility, saveShot } from './support/check-views.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

describe('the first call of a developer', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.stop());

  it('is seen on Home, from the link of the first start on', async () => {
    const welcome = new URL(dashboard.service.running.welcomeUrl ?? assert.fail('the first start printed no link'));
    const page = await dashboard.open(`${welcome.pathname.slice('/dashboard'.length)}${welcome.hash}`);
    await signUp(page);
    await page.waitForURL('**/dashboard/sandbox/home');
    await page.getByRole('heading', { name: 'Your first ten minutes' }).waitFor();

    await page.getByRole('button', { name: 'Create a key and show it here' }).press('Enter');
    const key = /^export KEY=(sk_sandbox_\w+)$/.exec(await readCommand(page, 'the key', /sk_sandbox_\w{20,}/))?.[1];
    assert.ok(key, 'the key is shown');

    const refused = await run(await readCommand(page, 'the call that creates a user'), key, '{"external_ref": 7}');
    assert.equal(refused.status, 400);
    await page.getByRole('listitem').filter({ hasText: '/v1/users' }).getByText('400', { exact: true }).waitFor();

    const created = await run(await readCommand(page, 'the call that creates a user'), key);
    assert.equal(created.status, 201);
    const { id } = (await created.json()) as { id: string };
    const step = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Create a user/ }) });
    await step.getByText('201', { exact: true }).waitFor();
    await step.getByText(created.headers.get('x-request-id') ?? 'no request id').waitFor();
    await page.getByRole('link', { name: 'Open ada' }).waitFor();
    await page
      .getByText(/new data/)
      .first()
      .waitFor();

    const explained = await run(await readCommand(page, 'the call that explains a value', new RegExp(id)), key);
    assert.equal(explained.status, 200);
    await page.getByRole('heading', { name: /^Ask how a value was computed.*done$/ }).waitFor();
    await saveShot(page, 'first-call');
    await checkAccessibility(page, 'the first steps, half done');

    await page.getByRole('link', { name: 'Open ada' }).press('Enter');
    await page.waitForURL(`**/sandbox/users/${id}/day/*`);
    await page.getByRole('heading', { name: 'ada' }).waitFor();
  });
});

/** By keyboard only. */
async function signUp(page: Page): Promise<void> {
  await page.getByLabel('Your name').focus();
  await page.keyboard.type('Ada Lovelace');
  await page.keyboard.press('Tab');
  await page.keyboard.type('ada@fitcoach.example');
  await page.keyboard.press('Tab');
  await page.keyboard.type('a long enough passphrase');
  await page.keyboard.press('Enter');
}

/** The text of a block once it contains the expected text. */
async function readCommand(page: Page, name: string, expected = /./): Promise<string> {
  const block = page.getByRole('region', { name, exact: true }).filter({ hasText: expected });
  return (await block.innerText()).trim();
}

/** Makes the call of a curl command as it is shown, with another body if one is given. */
function run(command: string, key: string, otherBody?: string): Promise<Response> {
  const url = /curl -s "?(http[^"\s]+)/.exec(command)?.[1] ?? assert.fail(`no address in ${command}`);
  const body = otherBody ?? / -d '(.+)'/.exec(command)?.[1];
  return fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: readHeaders(command.replace('$KEY', key)),
    ...(body !== undefined && { body }),
  });
}

function readHeaders(command: string): [string, string][] {
  return Array.from(command.matchAll(/ -H "([\w-]+): ([^"]+)"/g), ([, name = '', value = '']) => [name, value]);
}
