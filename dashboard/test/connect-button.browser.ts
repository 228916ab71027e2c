// The connect button of @tributary/connect in a web app on another origin, against a real service.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ACCOUNT, type Hosted, startHosted } from './support/start-hosted.ts';
import { startWebApp } from './support/start-web-app.ts';

let hosted: Hosted;
let app: Awaited<ReturnType<typeof startWebApp>>;
let hasLinks = true;
before(async () => {
  hosted = await startHosted();
  app = await startWebApp(async (redirect_url) =>
    hasLinks ? hosted.beginConnection({ provider: 'oura', redirect_url }) : null,
  );
});
after(async () => {
  await app.stop();
  await hosted.stop();
});

const openApp = () => hosted.visit(app.origin, { width: 1280, height: 900 });
const outcomeOf = async (page: Page) => {
  await page.locator('output:not(:empty)').waitFor();
  const lines = (await page.locator('output').innerText()).trim().split('\n');
  assert.equal(lines.length, 1);
  return JSON.parse(lines[0] ?? '');
};
async function openPopup(page: Page, button: string): Promise<Page> {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  await popup.getByRole('button', { name: /Oura$/ }).waitFor();
  return popup;
}
async function agree(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Oura$/ }).click();
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
}

describe('the connect button', () => {
  for (const [name, language, share] of [
    ['Connect', 'nl', `Je Oura-gegevens delen met ${ACCOUNT}?`],
    ['Connect with React', 'en', `Share your Oura data with ${ACCOUNT}?`],
  ] as const)
    it(`"${name}" opens a popup, and reports when the account is connected`, async () => {
      const page = await openApp();
      const popup = await openPopup(page, name);
      await popup.getByRole('heading', { name: share }).waitFor();
      assert.equal(await popup.locator('html').getAttribute('lang'), language);
      assert.equal(await page.getByRole('button', { name, exact: true }).getAttribute('aria-busy'), 'true');
      const closed = popup.waitForEvent('close');
      await agree(popup);
      const { status, deviceId } = await outcomeOf(page);
      assert.equal(status, 'active');
      assert.match(deviceId, /^[\w-]{36}$/);
      await closed;
      assert.equal(await page.getByRole('button', { name, exact: true }).getAttribute('aria-busy'), 'false');
      await page.context().close();
    });

  it('ignores messages of other origins and windows, and reports a refusal with its reason', async () => {
    const page = await openApp();
    const popup = await openPopup(page, 'Connect');
    await page.evaluate(
      `window.postMessage({ type: 'tributary.connect', status: 'active', device_id: 'forged', failure_reason: null }, '*')`,
    );
    await page.evaluate(`new Promise((resolve) => {
      addEventListener('message', ({ origin }) => { if (origin === '${app.otherOrigin}') resolve(); });
      const frame = document.createElement('iframe');
      frame.src = '${app.otherOrigin}/forgery';
      document.body.append(frame);
    })`);
    assert.equal(await page.locator('output').innerText(), '');
    await popup.getByRole('button', { name: 'Niet delen' }).click();
    const { status, failureReason } = await outcomeOf(page);
    assert.deepEqual([status, failureReason], ['failed', 'declined']);
    await page.context().close();
  });

  it('reports a popup that the person closes', async () => {
    const page = await openApp();
    const popup = await openPopup(page, 'Connect');
    await popup.close();
    assert.deepEqual(await outcomeOf(page), { status: 'closed' });
    await page.context().close();
  });

  it('redirects if the popup is blocked, and the page reads the outcome when the person returns', async () => {
    const page = await openApp();
    await page.evaluate('window.open = () => null');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await agree(page);
    await page.waitForURL(`${app.origin}/connected?**`);
    assert.equal((await outcomeOf(page)).status, 'active');
    await page.context().close();
  });

  it('closes the popup again if the backend gives no link', async () => {
    const page = await openApp();
    hasLinks = false;
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Connect', exact: true }).click(),
    ]);
    await page.getByText('Error: no link').waitFor();
    hasLinks = true;
    if (!popup.isClosed()) await popup.waitForEvent('close');
    await page.context().close();
  });
});
