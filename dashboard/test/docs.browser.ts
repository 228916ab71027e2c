// The docs site as a developer uses it: read, search, try a call, on a screen and on a phone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createUser } from '../../server/test/support/test-users.ts';
import { findFaultsOfPages } from './support/check-docs-pages.ts';
import { checkPage, type Hosted, startHosted } from './support/start-hosted.ts';

let hosted: Hosted;
before(async () => {
  hosted = await startHosted();
});
after(() => hosted.stop());

const WIDE = { width: 1280, height: 900 };

describe('the docs site', () => {
  it('passes axe at home, in light and dark, wide and narrow', async () => {
    const page = await hosted.visit('/docs', WIDE);
    await checkPage(page, 'docs-home');
    await page.context().close();
  });

  it('passes axe with open search results', async () => {
    const page = await hosted.visit('/docs/faq', WIDE);
    await page.keyboard.press('/');
    await page.keyboard.type('webhook');
    await page.locator('#found a').first().waitFor();
    await checkPage(page, 'docs-search');
    await page.context().close();
  });

  describe('passes axe on every page, in light and dark, wide and narrow', () => {
    const measured = new Set<string>();
    for (const section of ['Start', 'Concepts', 'Integrate', 'API', 'Providers', 'Operate'])
      it(section, async () => {
        const home = await hosted.visit('/docs', WIDE);
        const navigation = home.getByRole('navigation', { name: 'Docs' });
        assert.equal(await navigation.getByRole('heading').count(), 6);
        const links = navigation.locator(`h2:text-is("${section}") + ul a`);
        const pages = await links.evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href));
        assert.ok(pages.length > 3, section);
        assert.deepEqual(await findFaultsOfPages(home.context(), pages, measured), []);
        await home.context().close();
      });
  });

  it('passes axe on the page of an unknown address', async () => {
    const home = await hosted.visit('/docs', WIDE);
    const page = await home.context().newPage(); // its 404 is expected
    await page.goto(new URL('/docs/unknown-guide', hosted.service.url).href);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await checkPage(page, 'docs-unknown');
    await page.context().close();
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
