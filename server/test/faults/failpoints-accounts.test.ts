// The connection to the database is lost at every statement and commit that changes an account or warns of an expiring key.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { changeAccount, FIRST_START } from '../../src/features/tenancy/accounts/index.ts';
import { mailExpiringKeysJob } from '../../src/features/tenancy/members/index.ts';
import { failEverywhere } from '../support/failpoints.ts';
import { createMember } from '../support/test-members.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';

// No worker runs, so that queued mails can be counted.
const environment = { TRIBUTARY_SMTP_URL: 'smtp://127.0.0.1:9?from=a@tributary.example&starttls=never' };
const service = await startTestService({ role: 'api', environment });
after(() => service.stop());
const { services } = service.running;
const { db } = services;

type World = { readonly id: string; readonly name: string };

describe('a change of an account that loses its database', () => {
  it('changes all or nothing, with one audit entry', async (t) => {
    const change = { defaultForm: 2 as const, billing: 'past_due' as const, branding: { accentColor: '#112233' } };
    const read = async ({ id }: World) => {
      const [account] = await db.query(
        `select default_form, billing_status, accent_color,
                (select count(*)::int from audit_log where account_id = a.id and action = 'account.changed') as entries
           from accounts a where id = $1`,
        [id],
      );
      return account;
    };
    const [untouched, changed] = [
      { default_form: 1, billing_status: 'active', accent_color: null, entries: 0 },
      { default_form: 2, billing_status: 'past_due', accent_color: '#112233', entries: 1 },
    ];
    await failEverywhere<World>(t, {
      db,
      atLeast: { statements: 5, commits: 1 },
      prepare: () => createAccount(service),
      run: async ({ id }, failing) => void (await changeAccount({ ...services, db: failing }, id, change, FIRST_START)),
      async checkFailed(world) {
        const state = await read(world);
        assert.deepEqual(state, state?.entries === 0 ? untouched : changed);
      },
      read,
    });
  });
});

describe('the mails before a key expires', () => {
  it('are queued once for each owner, or not at all', async (t) => {
    const countMails = async () => {
      const [row] = await db.query<{ count: number }>(
        `select count(*)::int as count from graphile_worker.jobs where task_identifier = 'send_member_mail'`,
      );
      return row?.count ?? 0;
    };
    let before = 0;
    await failEverywhere<World>(t, {
      db,
      atLeast: { statements: 4, commits: 1 },
      async prepare() {
        await db.query('update api_keys set expires_at = $1', [new Date(services.clock.now().getTime() + 90 * DAY_MS)]);
        const account = await createAccount(service);
        await createMember(service, account.name, 'owner');
        const soon = new Date(services.clock.now().getTime() + 10 * DAY_MS);
        await db.query(`update api_keys set expires_at = $2 where account_id = $1 and environment = 'live'`, [
          account.id,
          soon,
        ]);
        before = await countMails();
        return account;
      },
      run: (_, failing) => mailExpiringKeysJob.run({ ...services, db: failing }, {}),
      async checkFailed() {
        assert.ok((await countMails()) - before <= 1);
      },
      read: async () => ({ mails: (await countMails()) - before }),
    });
  });
});
