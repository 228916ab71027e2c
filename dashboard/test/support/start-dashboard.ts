// A service with the built dashboard, and a browser that opens its pages.
import assert from 'node:assert/strict';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createMember, SESSION_COOKIE, type TestMember } from '../../../server/test/support/test-members.ts';
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../../../server/test/support/test-service.ts';
import { findChromium } from './find-chromium.ts';

export type View = { readonly theme: 'light' | 'dark'; readonly width: 1280 | 390 };

export type OpenOptions = Partial<View> & {
  /** Who is signed in. */
  readonly member?: TestMember;
  /** Runs before the page loads: mocked calls, cookies. */
  readonly prepare?: (page: Page) => Promise<void>;
};

export type Dashboard = {
  readonly service: TestService;
  /** A member of the first account, with a session. */
  createMember(role: 'viewer' | 'developer' | 'owner', options?: { isOperator?: boolean }): Promise<TestMember>;
  /** `path` begins after /dashboard. Faults of the page fail the test when it is closed. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  stop(): Promise<void>;
};

export const HEIGHTS = { 1280: 900, 390: 844 } as const;
export const WAIT_LIMIT_MS = 30_000; // tests run on a loaded machine

export async function startDashboard(options: TestServiceOptions = {}): Promise<Dashboard> {
  const service = await startTestService(options);
  const browser = await launchChromium();
  const faults: string[] = [];
  return {
    service,
    createMember: (role, options) => createMember(service, 'default', role, options),
    async open(path, { theme = 'light', width = 1280, member, prepare } = {}) {
      const context = await browser.newContext({
        baseURL: service.url,
        viewport: { width, height: HEIGHTS[width] },
        colorScheme: theme,
        reducedMotion: 'reduce',
        timezoneId: 'Europe/Berlin',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      context.setDefaultTimeout(WAIT_LIMIT_MS);
      if (member) await context.addCookies([toCookie(service.url, member)]);
      const page = await context.newPage();
      page.on('pageerror', (error) => faults.push(`${path}: ${error.message}`));
      page.on('console', (message) => {
        if (/Content Security Policy|TrustedHTML|Each child in a list/.test(message.text()))
          faults.push(message.text());
      });
      await prepare?.(page);
      await page.goto(`/dashboard${path}`);
      return page;
    },
    async stop() {
      await browser.close();
      await service.stop();
      assert.deepEqual(faults, []);
    },
  };
}

export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium() ?? assert.fail('Chromium is not installed');
  // Build machines have no GPU, and its software replacement takes more CPU than drawing without one.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });
}

export function toCookie(url: string, { cookie }: TestMember) {
  return { name: SESSION_COOKIE, value: cookie.slice(SESSION_COOKIE.length + 1), url };
}
