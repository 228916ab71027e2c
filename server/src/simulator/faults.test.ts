// Faults on demand, called directly and through the control API.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { connectSimulated, windowOfDays } from '../../test/support/simulated-connection.ts';
import { startSimulator } from '../../test/support/start-simulator.ts';
import type { LocalDate } from '../domain/time/calendar.ts';
import { type ProviderAnswer, ProviderAnswerError } from '../providers/contract.ts';
import { oura } from '../providers/oura/index.ts';
import { createFaultStore } from './fault-store.ts';
import { createSimulator } from './index.ts';

const simulator = await startSimulator();
after(() => simulator.close());
const connection = await connectSimulated(simulator, oura, { decision: 'allow', account: 'bob' });
const provider = 'oura';
const askSleep = (): Promise<ProviderAnswer> =>
  connection.ask({ origin: 'api', method: 'GET', path: '/v2/usercollection/sleep', as: 'person' });
const control = (path: string, init: RequestInit = {}) => fetch(`${simulator.url}/_control${path}`, init);

beforeEach(() => control('/faults', { method: 'DELETE' }));

describe('a fault', () => {
  it('rate_limited: answers 429 with Retry-After the given number of times', async () => {
    simulator.fault({ kind: 'rate_limited', provider, times: 2 });
    for (let attempt = 0; attempt < 2; attempt++) {
      const { status, headers } = await askSleep();
      assert.equal(status, 429);
      assert.ok(Number(headers['retry-after']) > 0);
    }
    assert.equal((await askSleep()).status, 200);
  });

  it('unavailable: answers 503 for data, and for tokens only if requested', async () => {
    const heal = simulator.fault({ kind: 'unavailable', provider });
    assert.equal((await askSleep()).status, 503);
    assert.ok('accessToken' in (await connection.refresh()));
    heal();
    assert.equal((await askSleep()).status, 200);
    simulator.fault({ kind: 'unavailable', provider, on: 'token', times: 1 });
    assert.deepEqual(await connection.refresh(), { refused: 'status 503', isDefinite: false });
    assert.ok('accessToken' in (await connection.refresh()), 'nothing was rotated');
  });

  it('slow: answers after the delay', async () => {
    simulator.fault({ kind: 'slow', provider, delay_ms: 12_345, times: 1 });
    simulator.waits.length = 0;
    assert.equal((await askSleep()).status, 200);
    assert.ok(simulator.waits.includes(12_345));
  });

  it('half_page: answers 200 with a truncated body', async () => {
    simulator.fault({ kind: 'half_page', provider, times: 1 });
    await assert.rejects(askSleep(), ProviderAnswerError);
    assert.equal((await askSleep()).status, 200);
  });

  it('revoked: answers 401 and invalid_grant, for that account only', async () => {
    const other = await connectSimulated(simulator, oura);
    const heal = simulator.fault({ kind: 'revoked', provider, account: 'bob' });
    assert.equal((await askSleep()).status, 401);
    assert.deepEqual(await connection.refresh(), { refused: 'invalid_grant', isDefinite: true });
    assert.equal(
      (await other.read(oura.resources[0] ?? assert.fail(), windowOfDays(simulator.clock.now(), 2))).length,
      1,
    );
    heal();
    assert.equal((await askSleep()).status, 200);
  });

  it('refresh_race: rotates the tokens and loses the response', async () => {
    const lost = await connectSimulated(simulator, oura);
    simulator.fault({ kind: 'refresh_race', provider, times: 1 });
    assert.deepEqual(await lost.refresh(), { refused: 'status 500', isDefinite: false });
    assert.deepEqual(await lost.refresh(), { refused: 'invalid_grant', isDefinite: true });
  });

  it('repeated_backfill: answers 409 the given number of times', () => {
    const faults = createFaultStore();
    const today = '2026-03-10' as LocalDate;
    faults.add({ kind: 'repeated_backfill', provider, account: 'bob', times: 2 }, today);
    const take = (account: string) => faults.take('repeated_backfill', { provider, account }) !== null;
    assert.deepEqual([take('ann'), take('bob')], [false, true]);
    assert.deepEqual(faults.list(), [
      { id: 1, kind: 'repeated_backfill', provider, account: 'bob', times: 1, date: today },
    ]);
    assert.deepEqual([take('bob'), take('bob')], [true, false]);
  });
});

describe('the control API', () => {
  const post = (body: unknown) => control('/faults', { method: 'POST', body: JSON.stringify(body) });

  it('sets, lists and clears faults', async () => {
    const made = await post({ kind: 'unavailable', provider });
    assert.equal(made.status, 201);
    const { id } = (await made.json()) as { id: number };
    assert.equal((await askSleep()).status, 503);
    assert.deepEqual(
      ((await (await control('/faults')).json()) as { id: number }[]).map((one) => one.id),
      [id],
    );
    assert.equal((await control(`/faults/${id}`, { method: 'DELETE' })).status, 204);
    assert.equal((await control(`/faults/${id}`, { method: 'DELETE' })).status, 404);
    assert.equal((await askSleep()).status, 200);
  });

  for (const wrong of [
    null,
    { kind: 'unavailable' },
    { kind: 'fire', provider },
    { kind: 'slow', provider: 'nobody' },
    { kind: 'slow', provider, times: 0 },
    { kind: 'slow', provider, on: 'page' },
    { kind: 'late_night', provider, date: '2026-02-30' },
    { kind: 'slow', provider, what: 1 },
  ])
    it(`refuses ${JSON.stringify(wrong)}`, async () => {
      assert.equal((await post(wrong)).status, 400);
    });

  it('ticks and lists the connected accounts', async () => {
    assert.deepEqual(await (await control('/tick', { method: 'POST' })).json(), { sent: 0 });
    const accounts = (await (await control('/accounts')).json()) as { provider: string; account: string }[];
    assert.ok(accounts.some(({ account }) => account === 'bob'));
  });

  it('is not available unless the mount enables it, and accounts cannot be named', async () => {
    const closed = createSimulator({
      key: Buffer.alloc(32, 7),
      baseUrl: 'http://127.0.0.1:1/simulator',
      redirectUris: ['https://app.example/cb'],
      isControllable: false,
      send: async () => null,
      webhookUrlOf: () => null,
      now: () => new Date('2026-03-10T11:00:00Z'),
      wait: async () => undefined,
    });
    const ask = (path: string, query: Record<string, string> = {}) =>
      closed.answer({
        method: 'GET',
        path,
        params: {},
        query: new URLSearchParams(query),
        headers: {},
        body: Buffer.alloc(0),
      });
    assert.equal((await ask('/_control/faults')).status, 404);
    assert.equal((await ask('/nobody/oauth/authorize')).status, 404);
    const { clientId } = closed.clientOf('oura');
    const requested = {
      client_id: clientId,
      redirect_uri: 'https://app.example/cb',
      response_type: 'code',
      scope: 'daily',
    };
    const page = await ask('/oura/oauth/authorize', requested);
    assert.equal(page.status, 200);
    assert.doesNotMatch(String(page.body), /name="account"/);
  });
});
