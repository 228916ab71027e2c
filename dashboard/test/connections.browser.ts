// Connections of a user: devices, their history, what happened, and connecting one.
import { after, before, describe, it } from 'node:test';
import { checkPage } from './support/check-page.ts';
import { checkShownViews } from './support/check-views.ts';
import { createAda, createEmptyUser } from './support/sandbox-users.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

describe('connections of a user', () => {
  let dashboard: Dashboard;
  let member: Awaited<ReturnType<Dashboard['createMember']>>;
  let ada: Awaited<ReturnType<typeof createAda>>;
  before(async () => {
    dashboard = await startDashboard();
    [member, ada] = [await dashboard.createMember('developer'), await createAda(dashboard)];
  });
  after(() => dashboard.stop());

  it('shows every state of the page', async () => {
    await checkPage(dashboard, {
      name: 'connections',
      path: `${ada.path}/connections`,
      member,
      call: `GET /sandbox/users/${ada.id}/connections`,
      ready: (page) => page.getByRole('heading', { name: 'Oura Ring' }).waitFor(),
      empty: {
        path: `${(await createEmptyUser(dashboard)).path}/connections`,
        ready: (page) => page.getByText('No device yet').waitFor(),
      },
    });
  });

  it('creates a link with a QR code for the person', async () => {
    const page = await dashboard.open(`${ada.path}/connections`, { member });
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /Polar/ }).click();
    await dialog.getByRole('img', { name: /QR code of the link to connect Polar/ }).waitFor();
    await checkShownViews(page, 'connections-link');
  });
});
