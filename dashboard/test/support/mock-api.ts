// Answers calls of the dashboard's API in the browser, for states that a service is hard to bring into.
import type { Page } from 'playwright-core';

type Answer = {
  readonly status?: number;
  readonly body?: unknown;
  /** Answered only when this resolves. */
  readonly after?: Promise<unknown>;
};

/** Keys such as `GET /session` or `GET /sandbox/keys`; the query is ignored. A function may answer differently each time. */
export type Answers = Readonly<Record<string, Answer | ((body: unknown) => Answer)>>;

/** Other calls reach the service. If the session is mocked, they do not name its account, which the service does not know. */
export async function mockApi(page: Page, answers: Answers): Promise<void> {
  await page.route('**/dashboard/api/**', async (route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname.slice('/dashboard/api'.length);
    const found = answers[`${request.method()} ${path}`];
    if (found === undefined) {
      const { 'x-tributary-account': account, ...others } = request.headers();
      return route.fallback(answers['GET /session'] === undefined ? {} : { headers: others });
    }
    const { status = 200, body = null, after } = typeof found === 'function' ? found(request.postDataJSON()) : found;
    await after;
    await route.fulfill({
      status,
      headers: { 'content-type': 'application/json', 'x-request-id': 'req_0123456789abcdef01' },
      body: JSON.stringify(body),
    });
  });
}

export const FAILURE: Answer = { status: 500, body: { error: 'internal', message: 'Internal error.', details: {} } };

/** A session as `GET /session` answers it. */
export const SESSION = {
  member: {
    id: '01a1e04c-0000-7000-8000-000000000001',
    name: 'Mara Klein',
    email: 'mara@fitcoach.example',
    has_totp: false,
    is_operator: false,
  },
  account: { id: '01a1e04c-0000-7000-8000-000000000002', name: 'fitcoach', display_name: 'Fitcoach' },
  accounts: [{ id: '01a1e04c-0000-7000-8000-000000000002', name: 'fitcoach', role: 'owner' }],
  role: 'owner',
  environments: ['live', 'sandbox'],
  confirmed_until: null,
  version: '0.1.0',
  command_name: 'npx tributary',
} as const;
