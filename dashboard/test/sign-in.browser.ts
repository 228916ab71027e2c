// The pages without a session: sign-in with and without a code, welcome, join, forgot and reset.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkViews } from './support/check-views.ts';
import { mockApi, SESSION } from './support/mock-api.ts';
import { DIRECTORY, OVERVIEW } from './support/sample-home.ts';
import { KEYS } from './support/sample-settings.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const refusal = (code: string, message: string) => ({ status: 401, body: { error: code, message, details: {} } });
const WRONG = refusal('invalid_credentials', 'The email, the password or the code is not correct.');
const NO_SESSION = refusal('missing_token', 'Sign in to use the dashboard.');

describe('signing in', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.stop());

  const pages = [
    { name: 'sign-in', path: '/sign-in', title: 'Sign in' },
    { name: 'welcome', path: '/welcome#token', title: 'Welcome' },
    { name: 'join', path: '/join#token', title: 'Accept the invitation' },
    { name: 'forgot', path: '/forgot', title: 'Reset your password' },
    { name: 'reset', path: '/reset#token', title: 'Set a new password' },
    { name: 'link-incomplete', path: '/welcome', title: 'This link is incomplete' },
  ];
  for (const { name, path, title } of pages) {
    it(`shows ${name} in every view`, async () => {
      await checkViews(dashboard, {
        name,
        path,
        ready: (page) => page.getByRole('heading', { name: title }).waitFor(),
      });
    });
  }

  it('leads back to where the person was, by keyboard only', async () => {
    let isIn = false;
    const page = await dashboard.open('/live/keys', {
      prepare: (opened) =>
        mockApi(opened, {
          'GET /session': () => (isIn ? { body: SESSION } : NO_SESSION),
          'GET /live/keys': () => (isIn ? { body: KEYS } : NO_SESSION),
          'POST /session': (body) => {
            const { password, code } = body as { password: string; code?: string };
            if (password !== 'right') return WRONG;
            if (code === undefined) return refusal('code_required', 'Enter the code.');
            isIn = true;
            return { body: SESSION };
          },
        }),
    });
    await page.getByLabel('Email').waitFor();
    await page.keyboard.type('mara@fitcoach.example');
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/not correct/)
      .waitFor();
    await page.getByLabel('Password').fill('right');
    await page.keyboard.press('Enter');
    await page.getByLabel('Code').waitFor();
    await page.keyboard.type('123456');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/live/keys');
    await page.getByText('20,512').waitFor();
  });

  const links = [
    { name: 'welcome', go: 'Create and sign in' },
    { name: 'join', go: 'Join' },
  ];
  for (const { name, go } of links)
    it(`asks a member with an authenticator app for a code on ${name}`, async () => {
      let isIn = false;
      const page = await dashboard.open(`/${name}#secret`, {
        prepare: (opened) =>
          mockApi(opened, {
            'GET /session': () => (isIn ? { body: SESSION } : NO_SESSION),
            'GET /sandbox/overview': { body: OVERVIEW },
            'GET /sandbox/events': { body: { data: [], has_more: false, user_ids: null } },
            'GET /sandbox/users': { body: DIRECTORY },
            [`POST /${name}`]: (body) => {
              const { code } = body as { code?: string };
              if (code === undefined) return refusal('code_required', 'Enter the code.');
              if (code !== '123456') return WRONG;
              isIn = true;
              return { body: SESSION };
            },
          }),
      });
      await page.getByLabel('Your name').fill('Mara Klein');
      if (name === 'welcome') await page.getByLabel('Email').fill('mara@fitcoach.example');
      await page.getByLabel('Password').fill('a long enough passphrase');
      await page.getByRole('button', { name: go }).click();
      await page.getByLabel('Code').waitFor();
      assert.equal(await page.getByRole('alert').count(), 0);
      await page.keyboard.type('000000');
      await page.keyboard.press('Enter');
      await page
        .getByRole('alert')
        .getByText(/not correct/)
        .waitFor();
      await page.getByLabel('Code').fill('123456');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/dashboard/sandbox/**');
    });

  it('removes the secret of a link from the address', async () => {
    const page = await dashboard.open('/welcome#secret', {
      prepare: (opened) =>
        mockApi(opened, {
          'POST /welcome': (body) => {
            assert.equal((body as { token: string }).token, 'secret');
            return { status: 422, body: { error: 'weak_password', message: 'Choose another password.', details: {} } };
          },
        }),
    });
    await page.getByLabel('Your name').fill('Mara Klein');
    assert.equal(new URL(page.url()).hash, '');
    await page.getByLabel('Email').fill('mara@fitcoach.example');
    await page.getByLabel('Password').fill('a long enough passphrase');
    await page.getByRole('button', { name: 'Create and sign in' }).click();
    await page.getByText('Choose another password.').waitFor();
  });

  it('does not lead to another site after signing in', async () => {
    const page = await dashboard.open('/sign-in?next=//elsewhere.example/', {
      prepare: (opened) =>
        mockApi(opened, {
          'GET /session': { body: SESSION },
          'POST /session': { body: SESSION },
          'GET /sandbox/overview': { body: OVERVIEW },
          'GET /sandbox/events': { body: { data: [], has_more: false, user_ids: null } },
          'GET /sandbox/users': { body: DIRECTORY },
        }),
    });
    await page.getByLabel('Email').fill('mara@fitcoach.example');
    await page.getByLabel('Password').fill('right');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/sandbox/**');
    assert.equal(new URL(page.url()).origin, new URL(dashboard.service.url).origin);
  });
});
