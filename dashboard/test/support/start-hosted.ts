// A service with the hosted pages, and a browser that opens them as a visitor without an account.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createMovableClock } from '../../../server/test/support/test-clock.ts';
import { createRosterSide, newAddress, type RosterSide } from '../../../server/test/support/test-roster.ts';
import { startTestService, type TestService } from '../../../server/test/support/test-service.ts';
import { createUser } from '../../../server/test/support/test-users.ts';
import { checkAccessibility, checkNoSidewaysScroll, saveShot } from './check-views.ts';
import { launchChromium, WAIT_LIMIT_MS } from './start-dashboard.ts';

export type Hosted = {
  readonly service: TestService;
  readonly roster: RosterSide;
  readonly clock: ReturnType<typeof createMovableClock>;
  /** Opens an address in a new browser context, on a phone unless asked otherwise. */
  visit(url: string, options?: { language?: string; width?: number; height?: number }): Promise<Page>;
  /** The link on which a sandbox user connects. Without a provider: the list of them. */
  beginConnection(fields?: object): Promise<string>;
  invite(fields?: object): ReturnType<RosterSide['invite']>;
  join(): ReturnType<RosterSide['join']>;
  stop(): Promise<void>;
};

export const ACCOUNT = 'Pulse Fitness';

export async function startHosted(): Promise<Hosted> {
  const printed: string[] = [];
  const clock = createMovableClock();
  const environment = { TRIBUTARY_OURA_CLIENT_ID: 'tributary', TRIBUTARY_OURA_CLIENT_SECRET: 'secret' };
  const service = await startTestService({ clock, printedLines: printed, environment });
  const browser = await launchChromium();
  const faults: string[] = [];
  const sandbox = service.api(service.keys.sandbox);
  const roster = createRosterSide(service.api(), printed);
  const branding = {
    display_name: ACCOUNT,
    accent_color: '#c2410c',
    privacy_url: 'https://pulse.example/privacy',
    support_url: 'https://pulse.example/help',
  };
  const branded = await service.operator().patch('/admin/accounts/default/branding', branding);
  assert.equal(branded.status, 200, branded.text);
  return {
    service,
    roster,
    clock,
    async visit(url, { language = 'en', width = 390, height = 664 } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        locale: language,
        acceptDownloads: true,
      });
      context.setDefaultTimeout(WAIT_LIMIT_MS);
      const page = await context.newPage();
      page.on('pageerror', (error) => faults.push(`${url}: ${error.message}`));
      page.on('console', (message) => {
        if (/Content Security Policy|404/.test(message.text())) faults.push(`${page.url()}: ${message.text()}`);
      });
      await page.goto(new URL(url, service.url).href);
      return page;
    },
    async beginConnection(fields = {}) {
      const user = await createUser(sandbox, { seed: false });
      const body = { provider: null, ...fields };
      const begun = await sandbox.post(`/v1/users/${user.id}/devices`, body, { headers: { 'api-form': '2' } });
      assert.equal(begun.status, 200, begun.text);
      return begun.body.auth_url;
    },
    invite: (fields = {}) => roster.invite(newAddress(), fields),
    join: () => roster.join(newAddress()),
    async stop() {
      await browser.close();
      await service.stop();
      assert.deepEqual(faults, []);
    },
  };
}

const SIZES = [
  { width: 1280, height: 720 },
  { width: 390, height: 664 },
] as const;

/** Looks at the page in light and dark, wide and narrow: axe, sideways scrolling, and the primary button without scrolling. */
export async function checkPage(page: Page, name: string, rules?: 'wcag'): Promise<void> {
  for (const size of SIZES)
    for (const colorScheme of ['light', 'dark'] as const) {
      const where = `${name}, ${colorScheme}, ${size.width}`;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      await checkAccessibility(page, where, rules);
      await checkNoSidewaysScroll(page, where);
      await checkPrimaryButton(page, where);
      await saveShot(page, `hosted-${name}-${size.width}-${colorScheme}`);
    }
}

export async function checkPrimaryButton(page: Page, where: string): Promise<void> {
  const bottom = await page.evaluate(
    `Math.max(0, ...[...document.querySelectorAll('button.first, a.first')].map((one) => one.getBoundingClientRect().bottom))`,
  );
  assert.ok(Number(bottom) <= (page.viewportSize()?.height ?? 0), `${where}: the primary button ends at ${bottom} px`);
}
