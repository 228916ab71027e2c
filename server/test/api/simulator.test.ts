// Tests faults of simulated providers, set by the operator over HTTP and by command; other callers cannot set any.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { beginConnecting, walkThroughConsent } from '../support/connect-account.ts';
import { runCli } from '../support/run-cli.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startTestService } from '../support/test-service.ts';
import { createSandboxUser, issuePaths } from '../support/test-users.ts';

const PATH = '/admin/simulator/faults';
const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-10T12:00:00Z')), role: 'api' });
after(() => service.stop());
const operator = service.operator();
const list = async () => (await operator.get(PATH)).body.data;

beforeEach(async () => assert.equal((await operator.delete(PATH)).status, 204));

describe('faults of the simulator', () => {
  it('201 sets a fault, 200 lists active ones, 204 removes it, 404 when it is gone', async () => {
    const set = await operator.post(PATH, { kind: 'rate_limited', provider: 'oura', times: 2, on: 'token' });
    assert.equal(set.status, 201, set.text);
    const { id, ...fault } = set.body;
    assert.deepEqual(fault, { kind: 'rate_limited', provider: 'oura', times: 2, on: 'token', date: '2026-03-10' });
    assert.deepEqual(await list(), [set.body]);
    assert.equal((await operator.delete(`${PATH}/${id}`)).status, 204);
    for (const gone of [id, 'abc']) assert.equal((await operator.delete(`${PATH}/${gone}`)).status, 404);
    assert.deepEqual(await list(), []);
  });

  it('affect requests to the provider', async () => {
    await operator.post(PATH, { kind: 'unavailable', provider: 'oura', times: 1 });
    const call = async (provider: string) =>
      (await fetch(`${service.url}/simulator/${provider}/v2/usercollection/sleep`)).status;
    assert.deepEqual([await call('whoop'), await call('oura'), await call('oura')], [404, 503, 401]);
    assert.deepEqual(await list(), []);
  });

  const refusals: [object, string][] = [
    [{ kind: 'fire', provider: 'oura' }, 'kind'],
    [{ kind: 'slow', provider: 'apple_health' }, 'provider'],
    [{ kind: 'slow', provider: 'oura', times: 0 }, 'times'],
    [{ kind: 'slow', provider: 'oura', on: 'page' }, 'on'],
    [{ kind: 'late_night', provider: 'oura', date: '2026-02-30' }, 'date'],
    [{ kind: 'late_night', provider: 'oura', night: 1 }, 'night'],
  ];
  for (const [body, path] of refusals)
    it(`400 names ${path} of ${JSON.stringify(body)}`, async () => {
      const answer = await operator.post(PATH, body);
      assert.deepEqual([answer.status, issuePaths(answer.body)], [400, [path]], answer.text);
      assert.deepEqual(await list(), []);
    });

  it('404 for other callers: neither the public port nor the simulator itself offers them', async () => {
    const fault = { kind: 'unavailable', provider: 'oura' };
    for (const key of [service.keys.sandbox, service.operatorToken])
      assert.equal((await service.api(key).post(PATH, fault)).status, 404);
    const sent = await fetch(`${service.url}/simulator/_control/faults`, {
      method: 'POST',
      body: JSON.stringify(fault),
    });
    assert.equal(sent.status, 404);
    assert.deepEqual(await list(), []);
  });
});

describe('tributary sandbox', () => {
  const run = (...args: string[]) => runCli(service, ['sandbox', ...args]);

  it('fault sets, lists and clears', async () => {
    const set = await run('fault', 'set', 'slow', '--provider', 'polar', '--delay-ms', '300', '--times', '2');
    assert.deepEqual([set.code, set.stderr], [0, '']);
    const [{ id }] = await list();
    assert.equal(set.stdout, `Fault ${id}: slow, at polar, times 2, delay_ms 300, date 2026-03-10\n`);
    assert.match((await run('fault', 'list')).stdout, new RegExp(`^id +fault\n${id} +slow, at polar`));
    assert.deepEqual(JSON.parse((await run('fault', 'list', '--json')).stdout), await list());
    assert.equal((await run('fault', 'clear', String(id))).stdout, `Fault ${id} cleared.\n`);
    assert.equal((await run('fault', 'list')).stdout, 'No active faults.\n');
    const again = await run('fault', 'clear', String(id));
    assert.deepEqual([again.code, again.stderr], [1, 'Fault not found.\n']);
  });

  it('explains invalid options, and lists the kinds of faults', async () => {
    const wrong = await run('fault', 'set', 'slow', '--provider', 'polar', '--times', 'often');
    assert.deepEqual([wrong.code, wrong.stderr], [1, '--times must be a whole number above 0.\n']);
    const unknown = await run('fault', 'set', 'fire', '--provider', 'polar');
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /kind .*late_night/);
    assert.match(
      (await run('fault', 'set', '--help')).stdout,
      /deleted_record {6}the last night or workout \(--record\) is deleted/,
    );
  });

  it('lists connected accounts, and makes providers send webhooks', async () => {
    const { id } = await createSandboxUser(service);
    const { auth_url } = await beginConnecting(service.api(service.keys.sandbox), id, 'whoop');
    await walkThroughConsent(auth_url);
    const [account, ...others] = JSON.parse((await run('accounts', '--json')).stdout);
    assert.deepEqual([account.provider, others], ['whoop', []]);
    assert.ok((await run('accounts')).stdout.includes(`whoop     ${account.account}\n`));
    assert.equal((await run('provider-webhooks')).stdout, 'Webhooks accepted: 0\n');
    await operator.post(PATH, { kind: 'deleted_record', provider: 'whoop', account: account.account });
    assert.deepEqual(
      JSON.parse((await run('provider-webhooks', '--json')).stdout),
      { taken: 2 },
      'a sleep and its recovery',
    );
  });
});
