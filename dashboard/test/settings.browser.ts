// Settings: account with preview, members, own security, audit log.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkPage } from './support/check-page.ts';
import { checkAccessibility, saveShot } from './support/check-views.ts';
import { mockApi, SESSION } from './support/mock-api.ts';
import { ACCOUNT, AUDIT, SESSIONS, TEAM } from './support/sample-settings.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const TOTP = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Tributary:mara@fitcoach.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Tributary',
};
const NO_SESSION = { status: 401, body: { error: 'missing_token', message: 'Sign in.', details: {} } };
const CODES = Array.from({ length: 10 }, (_, index) => `abcd-ef${index}h-jk2m`);

describe('settings', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.stop());

  const answers = {
    'GET /session': { body: SESSION },
    'GET /account': { body: ACCOUNT },
    'GET /members': { body: TEAM },
    'GET /sessions': { body: SESSIONS },
    'GET /audit': { body: AUDIT },
    'POST /totp': { body: TOTP },
    'POST /totp/confirm': { body: { recovery_codes: CODES } },
  };
  const prepare = (page: Page) => mockApi(page, answers);

  const pages = [
    { name: 'account', text: 'Users, live', call: 'GET /account' },
    { name: 'members', text: 'Jonas Weber', call: 'GET /members' },
    { name: 'security', text: 'Safari on iPhone', call: 'GET /sessions' },
    { name: 'audit', text: 'API key rotated', call: 'GET /audit' },
  ];
  for (const { name, text, call } of pages) {
    it(`shows every state of ${name}`, async () => {
      await checkPage(dashboard, {
        name: `settings-${name}`,
        path: `/sandbox/settings/${name}`,
        call,
        answers,
        ready: (page) => page.getByText(text).first().waitFor(),
        ...(name === 'audit' && {
          empty: {
            answers: { 'GET /audit': { body: { data: [], next_cursor: null } } },
            ready: (page: Page) => page.getByText('No change yet').waitFor(),
          },
        }),
      });
    });
  }

  it('previews the hosted page while it is edited, and sends only what changed', async () => {
    let sent: unknown = null;
    const page = await dashboard.open('/sandbox/settings/account', {
      prepare: (opened) =>
        mockApi(opened, {
          ...answers,
          'PATCH /account': (body) => {
            sent = body;
            return { body: { ...ACCOUNT, display_name: 'Fit Coach' } };
          },
        }),
    });
    await page.getByLabel('Display name').fill('Fit Coach');
    await page.getByText('Fit Coach asks to read your data from Oura').waitFor();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await waitFor(() => sent !== null);
    assert.deepEqual(sent, { display_name: 'Fit Coach' });
  });

  it('closes the account once its name is typed, and reopens it', async () => {
    let closedAt: string | null = null;
    const account = () => ({ body: { ...ACCOUNT, closed_at: closedAt } });
    const page = await dashboard.open('/sandbox/settings/account', {
      prepare: (opened) =>
        mockApi(opened, {
          ...answers,
          'GET /account': account,
          'POST /account/close': () => {
            closedAt = new Date().toISOString();
            return account();
          },
          'POST /account/reopen': () => {
            closedAt = null;
            return account();
          },
        }),
    });
    await page.getByRole('button', { name: 'Close the account…' }).click();
    const button = page.getByRole('button', { name: 'Close the account', exact: true });
    await page.getByLabel(/Type the name/).fill('another');
    assert.equal(await button.isDisabled(), true);
    await page.getByLabel(/Type the name/).fill(ACCOUNT.name);
    await checkAccessibility(page, 'closing an account');
    await saveShot(page, 'settings-close-account');
    await button.click();
    await page.getByText('This account is closed since').waitFor();
    await page.getByRole('button', { name: 'Reopen the account' }).click();
    await page.getByRole('button', { name: 'Close the account…' }).waitFor();
  });

  it('deletes the account once its name is typed, and leaves it', async () => {
    let sent: unknown = null;
    const page = await dashboard.open('/sandbox/settings/account', {
      prepare: (opened) =>
        mockApi(opened, {
          ...answers,
          'GET /session': () => (sent === null ? { body: SESSION } : NO_SESSION),
          'POST /account/delete': (body) => {
            sent = body;
            return { status: 202, body: {} };
          },
        }),
    });
    await page.getByRole('button', { name: 'Delete the account…' }).click();
    const button = page.getByRole('button', { name: 'Delete the account and all its data' });
    assert.equal(await button.isDisabled(), true);
    await page.getByLabel(/Type the name/).fill(ACCOUNT.name);
    await checkAccessibility(page, 'deleting an account');
    await saveShot(page, 'settings-delete-account');
    await button.click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.deepEqual(sent, { name: ACCOUNT.name });
  });

  it('offers a viewer neither closing nor deleting', async () => {
    const viewer = { ...answers, 'GET /session': { body: { ...SESSION, role: 'viewer' } } };
    const page = await dashboard.open('/sandbox/settings/account', { prepare: (opened) => mockApi(opened, viewer) });
    await page.getByText('Users, live').waitFor();
    assert.equal(await page.getByRole('button', { name: /the account…/ }).count(), 0);
  });

  it('sets up an authenticator app with a QR code and recovery codes', async () => {
    const page = await dashboard.open('/sandbox/settings/security', { prepare });
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    await saveShot(page, 'settings-totp');
    await checkAccessibility(page, 'the QR code');
    await page.getByLabel('Code', { exact: true }).fill('123456');
    await page.keyboard.press('Enter');
    await page.getByText('abcd-ef0h-jk2m').waitFor();
    await saveShot(page, 'settings-recovery-codes');
  });

  it('asks for the password when a call needs it, then repeats the call', async () => {
    let isConfirmed = false;
    const page = await dashboard.open('/sandbox/settings/members', {
      prepare: (opened) =>
        mockApi(opened, {
          ...answers,
          'POST /session/confirm': () => {
            isConfirmed = true;
            return { body: SESSION };
          },
          'PATCH /members/01a1e04c-0000-7000-8000-000000000011': () =>
            isConfirmed
              ? { body: TEAM.members[1] }
              : {
                  status: 403,
                  body: { error: 'confirmation_required', message: 'Enter your password again.', details: {} },
                },
        }),
    });
    await page.getByLabel('Actions for Jonas Weber').click();
    await page.getByRole('button', { name: 'Change the role…' }).click();
    await page.getByLabel('Role', { exact: true }).selectOption('owner');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Enter your password' }).waitFor();
    await saveShot(page, 'confirmation');
    await page.getByLabel('Password', { exact: true }).fill('a long enough passphrase');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('opens an entry of the audit log by keyboard, with an address', async () => {
    const page = await dashboard.open('/sandbox/settings/audit', { prepare });
    await page.getByText('Member invited').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/audit?entry=e1');
    await page.getByRole('heading', { name: 'Member invited' }).waitFor();
    await saveShot(page, 'settings-audit-entry');
  });
});

async function waitFor(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!condition()) {
    if (Date.now() > deadline) assert.fail('the condition was never met');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
