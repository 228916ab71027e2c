// Takes the pictures of the README: UPDATE_PICTURES=1 npm run test:browser -- pictures
import assert from 'node:assert/strict';
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { mockApi, SESSION } from './support/mock-api.ts';
import { createAda, dateBefore } from './support/sandbox-users.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/images');
const MAX_BYTES = 150_000;

describe('pictures of the README', { skip: !process.env.UPDATE_PICTURES }, () => {
  let dashboard: Dashboard;
  let member: Awaited<ReturnType<Dashboard['createMember']>>;
  let ada: Awaited<ReturnType<typeof createAda>>;
  before(async () => {
    dashboard = await startDashboard();
    [member, ada] = [await dashboard.createMember('developer'), await createAda(dashboard)];
  });
  after(() => dashboard.stop());

  const pictures = [
    {
      name: 'day',
      theme: 'light',
      path: () => `/day/${dateBefore(1)}?metric=steps`,
      ready: (page: Page) => page.getByRole('article', { name: 'Steps' }).getByText('Quarter hours').waitFor(),
    },
    {
      name: 'scores',
      theme: 'dark',
      path: () => `/scores/${dateBefore(1)}/recovery`,
      ready: (page: Page) => page.getByText('adds up').waitFor(),
    },
    {
      name: 'trends',
      theme: 'light',
      path: () => '/trends',
      ready: (page: Page) => page.getByRole('application').locator('path').first().waitFor(),
    },
  ] as const;
  for (const { name, theme, path: addressOf, ready } of pictures) {
    it(`takes ${name}`, async () => {
      const page = await dashboard.open(`${ada.path}${addressOf()}`, {
        member,
        theme,
        prepare: (opened) => mockApi(opened, { 'GET /session': { body: SESSION } }),
      });
      await ready(page);
      await page.evaluate('document.fonts.ready');
      mkdirSync(FOLDER, { recursive: true });
      const file = path.join(FOLDER, `dashboard-${name}.png`);
      await page.screenshot({ path: file });
      const { size } = statSync(file);
      assert.ok(size <= MAX_BYTES, `${size} bytes`);
    });
  }
});
