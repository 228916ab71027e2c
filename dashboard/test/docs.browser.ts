// The docs site as a developer uses it: read, search, try a call, on a screen and on a phone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createUser } from '../../server/test/support/test-users.ts';
import { checkNoSidewaysScroll, findTextFaults } from './support/check-views.ts';
import { checkPage, type Hosted, startHosted } from './support/start-hosted.ts';

let hosted: Hosted;
before(async () => {
  hosted = await startHosted();
});
after(() => hosted.stop());

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 664 };

describe('the docs site', () => {
  for (const [name, address] of [
    ['docs-home', '/docs'],
    ['docs-guide', '/docs/webhooks'],
    ['docs-errors', '/docs/errors'],
    ['docs-reference', '/docs/reference/data-reads'],
  ] as const)
    it(`${address} passes axe in light and dark, wide and narrow`, async () => {
      const page = await hosted.visit(address, WIDE);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await checkPage(page, name);
      await page.context().close();
    });

  it('has no page whose text fails axe or that scrolls sideways on a phone', async () => {
    const page = await hosted.visit('/docs', WIDE);
    const links = page.getByRole('navigation', { name: 'Docs' }).getByRole('link');
    const hrefs = await links.evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href));
    assert.ok(hrefs.length > 60);
    const found: string[] = [];
    for (const href of hrefs) {
      await page.goto(href);
      if (!href.includes('/reference/')) found.push(...(await findTextFaults(page)).map((one) => `${href}: ${one}`));
      await page.setViewportSize(NARROW);
      await checkNoSidewaysScroll(page, href).catch((error: Error) => found.push(error.message));
      await page.setViewportSize(WIDE);
    }
    await page.context().close();
    assert.deepEqual(found, []);
  });

  it('finds a part of a guide from the keyboard', async () => {
    const page = await hosted.visit('/docs', WIDE);
    await page.keyboard.press('/');
    await page.keyboard.type('verify signature');
    await page.getByRole('link', { name: /Verify the signature/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/webhooks#verify-the-signature$/);
    await page.context().close();
  });

  it('sends a request from the reference and shows the answer', async () => {
    const user = await createUser(hosted.service.api(hosted.service.keys.sandbox));
    const page = await hosted.visit('/docs/reference/users#getUser', WIDE);
    const operation = page.locator('section.operation', { has: page.locator('#getUser') });
    await operation.getByText('Try it').click();
    await operation.getByLabel('API key or token').fill(hosted.service.keys.sandbox);
    await operation.getByLabel('user_id').fill(user.id);
    await operation.getByRole('button', { name: 'Send' }).click();
    const answer = operation.getByRole('status');
    await answer.filter({ hasText: '200' }).waitFor();
    assert.match(await answer.innerText(), new RegExp(user.id));
    await page.context().close();
  });

  it('keeps the chosen color scheme', async () => {
    const page = await hosted.visit('/docs', WIDE);
    await page.getByRole('button', { name: 'Switch to the dark color scheme' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Switch to the light color scheme' }).waitFor();
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    await page.context().close();
  });
});
