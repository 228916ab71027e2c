// Scores of a user: the day's scores, the waterfall of one, and its factors over days.
import { after, before, describe, it } from 'node:test';
import { checkPage } from './support/check-page.ts';
import { createAda, createEmptyUser, dateBefore } from './support/sandbox-users.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

describe('scores of a user', () => {
  let dashboard: Dashboard;
  let member: Awaited<ReturnType<Dashboard['createMember']>>;
  let ada: Awaited<ReturnType<typeof createAda>>;
  const yesterday = dateBefore(1);
  before(async () => {
    dashboard = await startDashboard();
    [member, ada] = [await dashboard.createMember('developer'), await createAda(dashboard)];
  });
  after(() => dashboard.stop());

  it('shows every state of the page', async () => {
    await checkPage(dashboard, {
      name: 'scores',
      path: `${ada.path}/scores/${yesterday}/sleep`,
      member,
      call: `GET /sandbox/users/${ada.id}/scores/matrix`,
      ready: (page) => page.getByRole('heading', { name: /Sleep/ }).first().waitFor(),
      empty: {
        path: `${(await createEmptyUser(dashboard)).path}/scores/${yesterday}/sleep`,
        ready: (page) => page.getByRole('heading').first().waitFor(),
      },
    });
  });
});
