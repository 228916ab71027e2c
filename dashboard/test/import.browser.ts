// The import page of a user: a file is uploaded, imported, and its result shown.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestMember } from '../../server/test/support/test-members.ts';
import { createUser } from '../../server/test/support/test-users.ts';
import { checkViews } from './support/check-views.ts';
import { FAILURE, mockApi } from './support/mock-api.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const CSV = 'time,weight (kg)\n2026-03-01T08:00:00Z,70.5\n2026-03-02T08:00:00Z,heavy\n';
const FILE = { name: 'weights.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) };
const STATE = {
  id: '01a1e04c-0000-7000-8000-000000000009',
  user_id: '01a1e04c-0000-7000-8000-000000000008',
  environment: 'live',
  file_name: 'export.zip',
  status: 'running',
  format: 'apple-health',
  size_bytes: 1_000_000,
  received_bytes: 1_000_000,
  share: 0.42,
  records: 120_345,
  accepted: 120_000,
  duplicates: 300,
  rejected: 45,
  sources: ['Watch of Mara', 'Phone of Mara'],
  skipped: { HKQuantityTypeIdentifierUVExposure: 12 },
  problems: ['line 17: value must be a number', 'line 912: start is not a time'],
  error: null,
  started_at: '2026-03-10T12:00:00Z',
  updated_at: '2026-03-10T12:00:20Z',
};

describe('the import page of a user', () => {
  let dashboard: Dashboard;
  let member: TestMember;
  let path = '';
  let call = '';
  before(async () => {
    dashboard = await startDashboard();
    member = await dashboard.createMember('developer');
    const { id } = await createUser(dashboard.service.api(), { external_ref: 'noor', timezone: 'Europe/Berlin' });
    path = `/live/users/${id}/upload`;
    call = `GET /live/users/${id}/imports`;
  });
  after(() => dashboard.stop());
  const showing = (current: object | null) => (page: Page) =>
    mockApi(page, { [call]: { body: { current, is_busy_elsewhere: false } } });

  it('imports a file, and says what could not be read', async () => {
    const page = await dashboard.open(path, { member });
    await page.getByLabel('File', { exact: true }).setInputFiles(FILE);
    await page.getByLabel('Columns of the CSV file, as JSON').fill('{');
    await page.getByText('This is not a JSON object.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled(), true);
    await page.getByLabel('Columns of the CSV file, as JSON').fill('');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Last import: weights.csv' }).waitFor({ timeout: 30_000 });
    await page.getByText(/line 3/).waitFor();
  });

  for (const [name, current, text] of [
    ['import-form', null, 'Apple Health (export.zip or export.xml)'],
    ['import-running', STATE, '120,345 records so far'],
    ['import-done', { ...STATE, status: 'done' }, 'What could not be read'],
    [
      'import-failed',
      { ...STATE, status: 'failed', problems: [], error: 'export.zip: the file ends early. Create or copy it again.' },
      'the file ends early',
    ],
  ] as const)
    it(`shows ${name}, in light and dark, wide and narrow`, async () => {
      await checkViews(dashboard, {
        name,
        path,
        member,
        prepare: showing(current),
        ready: (page) => page.getByText(text).first().waitFor(),
      });
    });

  it('shows a failure to load, and a refused upload', async () => {
    const failing = await dashboard.open(path, { member, prepare: (page) => mockApi(page, { [call]: FAILURE }) });
    await failing.getByText('The import could not be loaded.').waitFor();
    const refused = { status: 409, body: { error: 'import_in_progress', message: 'A file is being imported.' } };
    const page = await dashboard.open(path, {
      member,
      async prepare(opened) {
        await showing(null)(opened);
        await mockApi(opened, { [call.replace('GET', 'POST')]: refused });
      },
    });
    await page.getByLabel('File', { exact: true }).setInputFiles(FILE);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('A file is being imported.').waitFor();
  });
});
