// The roster: invitations and members in one table, and inviting with a preview of the mail.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkPage } from './support/check-page.ts';
import { checkAccessibility, checkViews, saveShot } from './support/check-views.ts';
import { mockApi, SESSION } from './support/mock-api.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';

const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
const invitation = (id: string, fields: object) => ({
  id,
  email: `${id}@clinic.example`,
  name: null,
  external_ref: null,
  status: 'pending',
  created_at: days(-1),
  expires_at: days(13),
  member_id: null,
  ...fields,
});
const INVITATIONS = [
  invitation('nora.lind', { name: 'Nora Lind', external_ref: 'patient-311' }),
  invitation('t.okafor', {}),
  invitation('ada', { status: 'accepted', member_id: 'm1', created_at: days(-30) }),
  invitation('late', { status: 'expired', created_at: days(-20), expires_at: days(-6) }),
  invitation('no', { status: 'revoked', created_at: days(-25) }),
];
const member = (id: string, name: string, joined: number, status = 'active') => ({
  id,
  user_id: `01a1e04c-0000-7000-8000-00000000010${id.slice(1)}`,
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@clinic.example`,
  external_ref: `patient-${id}`,
  status,
  joined_at: days(joined),
});
const ACTIVE = [member('m1', 'Ada Byron', -29), member('m2', 'Karim Haddad', -40)];
const ARCHIVED = [member('m3', 'June Park', -200, 'archived')];
const MAIL = {
  from_name: 'Fitcoach',
  accent_color: '#0b6a8f',
  subject: 'Fitcoach invites you to share your health data',
  text: 'Hello Nora,\n\nFitcoach would like to see the health data from your devices:\n\n- sleep and recovery\n- activity and workouts\n- heart rate and other vital signs\n\nFitcoach writes:\n\n> See you on Monday.\n\nNothing is shared unless you accept. The invitation expires on 30 November 2026.\n\nView the invitation:\nhttps://health.fitcoach.example/invitations/…\n\nIn your privacy portal you can see what you share, stop sharing, and export or erase your data.\n\nYour privacy portal:\nhttps://health.fitcoach.example/my-data/…\n\n-- \nYou get this mail because Fitcoach invited you.\nSent by health.fitcoach.example for Fitcoach.\n',
  is_mail_on: true,
};

describe('the roster', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.stop());

  const answers = {
    'GET /session': { body: SESSION },
    'GET /live/roster/invitations': { body: { data: INVITATIONS, next_cursor: null } },
    'POST /live/roster/invitations/preview': { body: MAIL },
  };
  /** Two calls have the same path, so the query decides. */
  const filled = async (page: Page) => {
    await mockApi(page, answers);
    await page.route('**/dashboard/api/live/v1/team/roster?**', (route) => {
      const isArchived = new URL(route.request().url()).searchParams.get('status') === 'archived';
      return route.fulfill({ json: { data: isArchived ? ARCHIVED : ACTIVE, next_cursor: null } });
    });
  };

  it('shows every state of the page', async () => {
    await checkPage(dashboard, {
      name: 'roster',
      path: '/live/roster',
      call: 'GET /live/roster/invitations',
      prepare: filled,
      ready: (page) => page.getByText('Nora Lind').waitFor(),
      empty: {
        answers: {
          'GET /live/roster/invitations': { body: { data: [], next_cursor: null } },
          'GET /live/v1/team/roster': { body: { data: [], next_cursor: null } },
        },
        ready: (page) => page.getByText('Nobody is invited yet').waitFor(),
      },
    });
  });

  it('lists an accepted invitation once, as a member, and filters in the address', async () => {
    const page = await dashboard.open('/live/roster', { prepare: filled });
    await page.getByText('Ada Byron').waitFor();
    assert.equal(await page.getByRole('row').count(), 1 + 7);
    await page.getByRole('button', { name: 'Ended 2' }).click();
    await page.waitForURL('**/live/roster?view=ended');
    await page.getByText('did not answer in time').waitFor();
    assert.equal(await page.getByRole('row').count(), 1 + 2);
  });

  it('invites with a preview of the mail', async () => {
    let sent: unknown = null;
    for (const width of [1280, 390] as const) {
      const page = await dashboard.open('/live/roster?invite=true', {
        width,
        async prepare(opened) {
          await filled(opened);
          await mockApi(opened, {
            'POST /live/v1/team/roster/invitations': (body) => {
              sent = body;
              return { status: 201, body: INVITATIONS[0] };
            },
          });
        },
      });
      const dialog = page.getByRole('dialog');
      await dialog.getByText('See you on Monday.').waitFor();
      await saveShot(page, `roster-invite-${width}-light`);
      await checkAccessibility(page, `the invitation, ${width}`);
      await page.keyboard.type('nora.lind@clinic.example');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Nora Lind');
      await page.keyboard.press('Enter');
      await dialog.getByText('nora.lind@clinic.example is invited.').waitFor();
      assert.deepEqual(sent, { email: 'nora.lind@clinic.example', name: 'Nora Lind' });
      await page.context().close();
    }
  });

  it('says in the sandbox that there is no roster', async () => {
    await checkViews(dashboard, {
      name: 'roster-sandbox',
      path: '/sandbox/roster',
      prepare: filled,
      ready: (page) => page.getByText('The sandbox has no roster').waitFor(),
    });
  });
});
