// Tests `tributary events tail`, `listen` and `trigger` as separate processes.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { EVENT_TYPES } from '../../src/features/notify/events/index.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { findFreePort } from '../support/service-process.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Received, startSink } from '../support/webhook-sink.ts';

const service = await startTestService();
const sink = await startSink();
const emptyFolder = mkdtempSync(join(tmpdir(), 'tributary-cli-'));
after(async () => {
  await sink.close();
  await service.stop();
  rmSync(emptyFolder, { recursive: true });
});

const HOOK = 'http://127.0.0.1:3000/hook';
const run = (...args: string[]) => runCli(service, args);

/** Bypasses the CLI and waits until the feed has the event, so that the next one follows it. */
async function trigger(position: TestService, userId: string, body: object = {}): Promise<JsonBody> {
  const written = { event_type: 'data.updated', user_id: userId, ...body };
  const answer = await position.operator().post('/admin/events', written);
  assert.equal(answer.status, 201, answer.text);
  const { account, environment, event_id, event_type } = answer.body;
  const query = new URLSearchParams({ account, environment, user_id: userId, event_type });
  await waitUntil('the event in the feed', async () =>
    (await position.operator().get(`/admin/events?${query}`)).text.includes(event_id),
  );
  return answer.body;
}

async function openAccount() {
  const account = await createAccount(service);
  const user = await createUser(service.api(account.live));
  return { ...account, user, options: ['--account', account.name, '--environment', 'live'] };
}

const idsOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).event_id);

describe('trigger', () => {
  it('writes the event and prints its destination', async () => {
    const { name, user, live } = await openAccount();
    const days = ['--from', '2026-03-01', '--to', '2026-03-02'];
    const text = await run('trigger', 'data.updated', '--user', user.id, '--metrics', 'steps, weight', ...days);
    assert.deepEqual([text.code, text.stderr], [0, '']);
    const pattern =
      /^data\.updated (\S{36}) {2}steps, weight {2}2026-03-01 to 2026-03-02\nIt is being delivered to all webhooks and feed readers of (.*), live\.\n$/;
    const [, id, account] = pattern.exec(text.stdout) ?? assert.fail(text.stdout);
    assert.equal(account, name);
    const json = await run('trigger', 'user.deleted', '--user', user.id, '--json');
    const events = await waitUntil('both', async () => {
      const { body } = await service.api(live).get('/v1/events');
      return body.events.length === 2 ? body.events : null;
    });
    assert.deepEqual(
      events.map((event: JsonBody) => [event.event_id, event.event_type]),
      [
        [id, 'data.updated'],
        [JSON.parse(json.stdout).event_id, 'user.deleted'],
      ],
    );
  });

  it('exits with 1 and the reason for an unknown type, user, metric or day', async () => {
    const { user } = await openAccount();
    for (const [args, what] of [
      [['data.lost', '--user', user.id], `Unknown event type "data.lost". Event types: ${EVENT_TYPES.join(', ')}.`],
      [['data.updated', '--user', ABSENT_ID], `User ${ABSENT_ID} was not found.`],
      [
        ['data.updated', '--user', user.id, '--metrics', 'steps,stepz'],
        'must be metrics of the catalog other than scores: stepz',
      ],
      [['data.updated', '--user', user.id, '--from', 'today'], 'must be a day such as 2026-01-31'],
      [['user.deleted', '--user', user.id, '--to', '2026-03-01'], 'days not part of user.deleted'],
    ] as const) {
      const { code, stdout, stderr } = await run('trigger', ...args);
      assert.deepEqual([code, stdout], [1, '']);
      assert.ok(stderr.includes(what), stderr);
    }
  });
});

describe('events tail', () => {
  it('prints one line per new event and ends cleanly', async (t) => {
    const { name, user, options } = await openAccount();
    await trigger(service, user.id);
    const tail = startCli(t, service, ['events', 'tail', ...options]);
    await tail.waitForOutput(/Following the events of .*, live\. Press Ctrl-C to stop\.\n/);
    const days = { from: '2026-03-01', to: '2026-03-02' };
    await trigger(service, user.id, { metrics: ['steps', 'weight', 'heart_rate', 'height'], days });
    await trigger(service, user.id, { event_type: 'user.deleted' });
    await tail.lines(/user\.deleted/, 1);
    assert.equal(await tail.interrupt(), 0);
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ`;
    const first = `${time}  data\\.updated {9}${user.id}  [a-z_]+, [a-z_]+, [a-z_]+ \\+1  2026-03-01 to 2026-03-02`;
    assert.match(tail.stdout(), new RegExp(`^${first}\n${time}  user\\.deleted {9}${user.id}\n$`));
    assert.equal(tail.stderr(), `Following the events of ${name}, live. Press Ctrl-C to stop.\n2 events.\n`);
  });

  it('--once prints existing events and exits; --json prints the text of the feed; --user and --type filter it', async () => {
    const { user, live, options } = await openAccount();
    const other = await createUser(service.api(live));
    for (const id of [user.id, other.id]) {
      await trigger(service, id);
      await trigger(service, id, { event_type: 'device.failed' });
    }
    const all = await run('events', 'tail', ...options, '--once', '--json');
    assert.deepEqual([all.code, all.stderr], [0, '']);
    const { body } = await service.api(live).get('/v1/events');
    assert.deepEqual(
      all.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      body.events,
    );
    const one = await run('events', 'tail', '--user', other.id, '--type', 'device.failed', '--once');
    assert.match(one.stdout, new RegExp(`^\\S+ \\S+ {2}device\\.failed {8}${other.id}\n$`));
    assert.equal(one.stderr, '1 event.\n');
  });

  it('reads all pages with --from-start and prints no warning', async (t) => {
    const { user, options } = await openAccount();
    const { userId, tenant } = await readTenant(user.id);
    const { db } = service.running.services;
    const count = 1_203;
    await db.query(
      `insert into event_outbox (user_id, id, account_id, environment, type, metrics, has_deletions, created_at)
       select $1, gen_random_uuid(), $2, $3, 'device.failed', '{}', false, now() from generate_series(1, $4::int)`,
      [userId, tenant.accountId, tenant.environment, count],
    );
    const tail = startCli(t, service, ['events', 'tail', ...options, '--from-start', '--json']);
    await tail.lines(/device\.failed/, count);
    const { event_id } = await trigger(service, user.id);
    const lines = await tail.lines(/event_id/, count + 1);
    assert.equal(new Set(idsOf(lines)).size, count + 1);
    assert.equal(idsOf(lines).at(-1), event_id);
    assert.equal(await tail.interrupt(), 0);
    assert.equal(tail.stderr(), '');
  });

  it('survives a restart of the service without losing or repeating an event', async (t) => {
    const database = await createTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'tributary-restart-'));
    const start = () => startTestService({ databaseUrl: database.url, environment: { TRIBUTARY_DATA_DIR: folder } });
    let current = await start();
    t.after(async () => {
      await current.stop();
      await database.drop();
      rmSync(folder, { recursive: true });
    });
    const user = await createUser(current.api()); // a live user has no generated events
    const tail = startCli(t, current, ['events', 'tail', '--environment', 'live', '--from-start', '--json']);
    const before = await trigger(current, user.id);
    await tail.lines(/event_id/, 1);
    await current.stop();
    current = await start();
    const later = await trigger(current, user.id);
    const lines = await tail.lines(/event_id/, 2);
    assert.deepEqual(idsOf(lines), [before.event_id, later.event_id]);
    assert.equal(await tail.interrupt(), 0);
    assert.equal(tail.stderr(), '', 'notes are for people');
  });

  it('can be interrupted while the service is not reachable', async (t) => {
    const position = await startTestService();
    const tail = startCli(t, position, ['events', 'tail']);
    await tail.waitForOutput(/Following/);
    await position.stop();
    await tail.waitForOutput(/not reachable/);
    assert.equal(await tail.interrupt(), 0);
    assert.match(tail.stderr(), /\n0 events\.\n$/);
  });

  it('exits with 1 and the reason for an unknown account, user or type', async () => {
    const { user } = await openAccount();
    for (const [args, what] of [
      [['--account', 'nobody'], 'Account nobody was not found.\n'],
      [['--user', ABSENT_ID], `User ${ABSENT_ID} was not found.\n`],
      [['--user', user.id, '--environment', 'sandbox'], / is in account .*, live\.\n$/],
      [['--type', 'x'], `Unknown event type "x". Event types: ${EVENT_TYPES.join(', ')}.\n`],
    ] as const) {
      const { code, stdout, stderr } = await run('events', 'tail', ...args);
      assert.deepEqual([code, stdout], [1, '']);
      if (typeof what === 'string') assert.equal(stderr, what);
      else assert.match(stderr, what);
    }
  });
});

describe('listen', () => {
  const verify = (secret: string, { headers, body }: Received) =>
    new Webhook(secret).verify(body, headers as Record<string, string>);

  it('forwards new events like webhook deliveries and prints each result', async (t) => {
    const { user, name, options, live } = await openAccount();
    await trigger(service, user.id);
    const listen = startCli(t, service, ['listen', '--forward-to', sink.url('/listen'), ...options]);
    await listen.waitForOutput(/^Signing secret for this session: /m);
    const [, secret = ''] = /(whsec_\S+)\n/.exec(listen.stdout()) ?? [];
    assert.ok(listen.stdout().startsWith(`Forwarding all new events of ${name}, live to ${sink.url('/listen')}.`));
    const made = [await trigger(service, user.id), await trigger(service, user.id, { event_type: 'device.failed' })];
    const received = await sink.wait('/listen', 2);
    const { events } = (await service.api(live).get('/v1/events')).body;
    assert.deepEqual(
      received.map((each) => verify(secret, each)),
      events.slice(1),
    );
    for (const [index, { headers }] of received.entries()) {
      assert.equal(headers['webhook-id'], made[index]?.event_id);
      assert.equal(headers['content-type'], 'application/json');
      assert.match(headers['user-agent'] ?? '', /^Tributary\/\d/);
    }
    await listen.lines(/ 204 in \d+ ms$/, 2);
    sink.answer('/listen', 500);
    await trigger(service, user.id);
    const [line = ''] = await listen.lines(/ 500 in \d+ ms$/, 1);
    assert.match(line, /^\d{4}-\d\d-\d\d \S+Z {2}data\.updated {2}\S{36} {2}500 in/);
    assert.equal(sink.at('/listen').length, 3, 'sent once each');
    assert.equal(await listen.interrupt(), 0);
    assert.equal(listen.stderr(), 'Sent 3 events, 2 accepted.\n');
  });

  it('sends the same body as the real delivery, byte for byte', async (t) => {
    const position = await startTestService({ environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' } });
    t.after(() => position.stop());
    const api = position.api();
    const user = await createUser(api);
    await api.post('/v1/webhooks', { url: sink.url('/real'), events: ['*'] });
    const listen = startCli(t, position, ['listen', '--forward-to', sink.url('/same'), '--environment', 'live']);
    await listen.waitForOutput(/Signing secret/);
    await trigger(position, user.id, { metrics: ['steps', 'weight'], days: { from: '2026-03-01' } });
    const [[real], [same]] = await Promise.all([sink.wait('/real', 1), sink.wait('/same', 1)]);
    const ofOne = new Set(['host', 'webhook-signature', 'webhook-timestamp']);
    const shared = (received?: Received) =>
      Object.entries(received?.headers ?? {}).filter(([name]) => !ofOne.has(name));
    assert.equal(same?.body, real?.body);
    assert.deepEqual(shared(same), shared(real));
    assert.equal(await listen.interrupt(), 0);
  });

  it('--events filters, --secret signs, --json prints lines of JSON', async (t) => {
    const { user, options } = await openAccount();
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const args = ['--events', 'device.failed, user.deleted', '--secret', secret, '--json'];
    const listen = startCli(t, service, ['listen', '--forward-to', sink.url('/chosen'), ...options, ...args]);
    await listen.lines(/forward_to/, 1);
    await trigger(service, user.id);
    const { event_id } = await trigger(service, user.id, { event_type: 'user.deleted' });
    const [, line = ''] = await listen.lines(/^\{/, 2);
    const { duration_ms, ...rest } = JSON.parse(line);
    assert.deepEqual(rest, { event_id, event_type: 'user.deleted', status: 204, error: null });
    assert.equal(typeof duration_ms, 'number');
    const received = sink.at('/chosen');
    assert.equal(received.length, 1);
    for (const each of received) assert.doesNotThrow(() => verify(secret, each));
    assert.equal(await listen.interrupt(), 0);
  });

  it('continues when the target responds with an error, and exits while it hangs', async (t) => {
    const { user, options } = await openAccount();
    const port = await findFreePort();
    const listen = startCli(t, service, ['listen', '--forward-to', `http://localhost:${port}/hook`, ...options]);
    await listen.waitForOutput(/Signing secret/);
    for (const count of [1, 2]) {
      await trigger(service, user.id);
      await listen.lines(/ {2}failed: The connection was refused\.$/, count);
    }
    assert.equal(await listen.interrupt(), 0);
    assert.equal(listen.stderr(), 'Sent 2 events, 0 accepted.\n');

    sink.answer('/hangs', () => undefined);
    const hanging = startCli(t, service, ['listen', '--forward-to', sink.url('/hangs'), ...options]);
    await hanging.waitForOutput(/Signing secret/);
    await trigger(service, user.id);
    await sink.wait('/hangs', 1);
    assert.equal(await hanging.interrupt(), 0);
    assert.equal(hanging.stderr(), 'Sent 0 events, 0 accepted.\n');
  });

  it('exits with 1 and the reason for invalid options', async () => {
    for (const [args, what] of [
      [['--forward-to', 'here'], /^--forward-to must be a URL, for example \S+ .*URL.*\n$/],
      [['--forward-to', 'ftp://127.0.0.1/'], /^--forward-to must be a URL/],
      [['--forward-to', 'http://169.254.169.254/'], /must not point to a private or reserved address/],
      [['--forward-to', HOOK, '--events', 'data.updated,x'], /Unknown event type "x"\. Event types: data\.updated/],
      [
        ['--forward-to', HOOK, '--secret', 'secret'],
        /^--secret must be "whsec_" followed by 24 to 64 bytes in base64\.\n$/,
      ],
      [['--forward-to', HOOK, '--secret', `whsec_${'A'.repeat(28)}`], /^--secret must be/],
      [['--forward-to', HOOK, '--secret', `whsec_${'A'.repeat(88)}`], /^--secret must be/],
      [['--forward-to', HOOK, '--account', 'nobody'], /^Account nobody was not found\.\n$/],
    ] as const) {
      const { code, stdout, stderr } = await run('listen', ...args);
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.match(stderr, what);
    }
    const { code, stderr } = await run('listen');
    assert.notEqual(code, 0);
    assert.match(stderr, /'--forward-to <url>' not specified/);
  });
});

describe('without a service', () => {
  it('exits with 1 and explains how to start the service', async () => {
    for (const args of [
      ['events', 'tail'],
      ['events', 'tail', '--once'],
      ['listen', '--forward-to', HOOK],
      ['trigger', 'data.updated', '--user', randomUUID()],
    ]) {
      const { code, stdout, stderr } = await runCli(service, args, { TRIBUTARY_DATA_DIR: emptyFolder });
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^No service is running on the data folder .*Start it with "npm start"/);
    }
  });
});

describe('--help', () => {
  it('fits a terminal for each command; the help of trigger lists the types', async () => {
    for (const args of [['events'], ['events', 'tail'], ['listen'], ['trigger']]) {
      const { code, stdout } = await run(...args, '--help');
      assert.equal(code, 0);
      assert.match(stdout, /^Usage: tributary /);
      for (const line of stdout.split('\n')) assert.ok(line.length <= 100, line);
      if (args[0] === 'trigger') for (const type of EVENT_TYPES) assert.match(stdout, new RegExp(`\\b${type}\\b`));
    }
    const program = await run('--help');
    for (const command of ['events', 'listen', 'trigger'])
      assert.match(program.stdout, new RegExp(`^  ${command}\\b`, 'm'));
  });
});

async function readTenant(userId: string) {
  const [row] = await service.running.services.db.query<{ account_id: string; environment: string }>(
    'select account_id, environment from users where id = $1',
    [userId],
  );
  return { userId, tenant: { accountId: row?.account_id, environment: row?.environment } };
}
