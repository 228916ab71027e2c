// Takes a page through its states: a slow call, the four views, the keyboard, no connection, a failing call, an empty account.
// One browser page is loaded for all of them, because loading is what costs time.
import type { Page, Route } from 'playwright-core';
import { checkKeyboard } from './check-keyboard.ts';
import { checkAccessibility, checkShownViews, saveShot } from './check-views.ts';
import { type Answers, mockApi, SESSION } from './mock-api.ts';
import type { Dashboard, OpenOptions } from './start-dashboard.ts';

type PageCheck = {
  /** Name of the screenshots. */
  readonly name: string;
  readonly path: string;
  /** The call that fills the page, such as `GET /sandbox/keys`: it is delayed, and it fails. */
  readonly call: string;
  /** With a member the service answers; without one a mocked session is enough if `answers` has the rest. */
  readonly member?: OpenOptions['member'];
  /** Other calls reach the service. */
  readonly answers?: Answers;
  /** Further preparation, such as calls that differ by their query. */
  readonly prepare?: OpenOptions['prepare'];
  /** Waits for what the page shows with data. Is called several times, so it must not click. */
  readonly ready: (page: Page) => Promise<unknown>;
  /** Without data: mocked answers, or the address of something empty; and what the page then shows. */
  readonly empty?: {
    readonly answers?: Answers;
    readonly path?: string;
    readonly ready: (page: Page) => Promise<unknown>;
  };
};

type Network = { state: 'slow' | 'working' | 'failing' | 'lost'; readonly delayed: Promise<void> };

const FAILED_REQUEST = 'req_0123456789abcdef01';

export async function checkPage(dashboard: Dashboard, check: PageCheck): Promise<void> {
  const { name, path, ready, empty } = check;
  const { promise: delayed, resolve: release } = Promise.withResolvers<void>();
  const network: Network = { state: 'slow', delayed };
  const page = await dashboard.open(path, {
    ...(check.member && { member: check.member }),
    async prepare(opened) {
      await mockApi(opened, { ...(!check.member && { 'GET /session': { body: SESSION } }), ...check.answers });
      await check.prepare?.(opened);
      await controlNetwork(opened, check.call, network);
    },
  });
  await page.locator('[aria-busy="true"]').getByText('Loading').first().waitFor({ state: 'attached' });
  await saveShot(page, `${name}-slow`);
  network.state = 'working';
  release();
  await ready(page);
  await checkShownViews(page, name);
  await checkKeyboard(page, name);

  network.state = 'lost';
  await loseConnection(page);
  await ready(page); // loaded data stays
  await saveShot(page, `${name}-offline`);

  network.state = 'failing';
  await page.reload();
  await page.getByText(FAILED_REQUEST).first().waitFor();
  await saveShot(page, `${name}-failing`);
  await checkAccessibility(page, `${name}, a failing call`);
  network.state = 'working';
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await ready(page);

  if (empty) {
    if (empty.answers) await mockApi(page, empty.answers);
    await page.goto(`/dashboard${empty.path ?? path}`);
    await empty.ready(page);
    await checkShownViews(page, `${name}-empty`);
  }
  await page.context().close();
}

async function controlNetwork(page: Page, call: string, network: Network): Promise<void> {
  await page.route('**/dashboard/api/**', async (route) => {
    if (network.state === 'lost') return route.abort('connectionfailed');
    if (!isCall(route, call)) return route.fallback();
    if (network.state === 'slow') await network.delayed;
    if (network.state !== 'failing') return route.fallback();
    return route.fulfill({
      status: 500,
      headers: { 'x-request-id': FAILED_REQUEST },
      json: { error: 'internal', message: 'Internal error.', details: {} },
    });
  });
}

function isCall(route: Route, call: string): boolean {
  const request = route.request();
  return `${request.method()} ${new URL(request.url()).pathname.slice('/dashboard/api'.length)}` === call;
}

/** Any page can search, so a search is the call that finds the connection lost. */
async function loseConnection(page: Page): Promise<void> {
  await page.locator('body').evaluate('document.activeElement.blur()');
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search' }).fill('somebody');
  await page.getByText('No connection to the service since').first().waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
}
