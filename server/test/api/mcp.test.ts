// Tests the MCP server as a client sees it: lines of JSON-RPC over a pipe, and requests to its port.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { SCORE_TYPES } from '../../src/domain/scores/index.ts';
import { FIXTURE_NOW, PERSON, uploadFixture } from '../golden/fixture.ts';
import { relabelDevices, restrictProvider } from '../support/restrict-provider.ts';
import { startCli } from '../support/run-cli.ts';
import { scoreNow } from '../support/scored-days.ts';
import { MAIN } from '../support/service-process.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSink } from '../support/webhook-sink.ts';

const service = await startTestService({
  clock: createFrozenClock(FIXTURE_NOW),
  environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' },
});
after(() => service.stop());
const { id: userId } = await createUser(service.api(), PERSON);
await uploadFixture(await startPhone(service, userId));
await scoreNow(service, userId);

const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

async function startClient(token: string) {
  const server = spawn(process.execPath, [MAIN, 'mcp'], {
    env: { ...process.env, TRIBUTARY_URL: service.url, TRIBUTARY_API_KEY: token },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  after(() => server.kill());
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const call = async (method: string, params: object = {}): Promise<JsonBody> => {
    id += 1;
    send({ id, method, params });
    for (;;) {
      const { done, value } = await lines.next();
      assert.ok(!done, 'the server ended');
      const answer = JSON.parse(value);
      if (answer.id === id) return answer;
    }
  };
  await call('initialize', HELLO);
  send({ method: 'notifications/initialized' });
  const useTool = async (name: string, input: object) => {
    const { result } = await call('tools/call', { name, arguments: input });
    const [{ text }] = result.content;
    return { isError: result.isError === true, text, body: result.isError ? null : JSON.parse(text) };
  };
  const stop = async () => {
    server.stdin.end();
    const [code] = server.exitCode === null ? await once(server, 'exit') : [server.exitCode];
    return code;
  };
  return { call, useTool, stop };
}

describe('tributary mcp', () => {
  it('returns no positions of a stored route, and neither do events and webhooks', async () => {
    const sink = await startSink();
    after(() => sink.close());
    const account = await createAccount(service);
    const kept = { keep_routes: true };
    const changed = await service.operator().patch(`/admin/accounts/${encodeURIComponent(account.name)}`, kept);
    assert.equal(changed.status, 200, changed.text);
    const api = service.api(account.live);
    assert.equal((await api.post('/v1/webhooks', { url: sink.url('/news'), events: ['*'] })).status, 201);
    const { id } = await createUser(api);
    const minutes = ['17:00', '17:01', '17:02'].map((time) => `2026-03-28T${time}:00Z`);
    const route = minutes.map((timestamp) => ({ timestamp, latitude: 52.5163123, longitude: 13.3777456 }));
    const run = { id: 'run', sport_type: 'running', start: minutes[0], end: '2026-03-28T17:50:00Z', route };
    await (await startPhone(service, id, { key: account.live })).upload({ workouts: [run] });
    const client = await startClient(account.live);
    const days = { user_id: id, from_date: '2026-03-27', to_date: '2026-03-30' };
    const list = await client.useTool('list_workouts', days);
    const workout = { user_id: id, workout_id: list.body.data[0].id };
    const detail = await api.get(`/v1/users/${id}/workouts/${workout.workout_id}?include=route`);
    assert.match(detail.text, /52\.5163123/, 'it is stored');
    await waitUntil('a webhook of the workout', () => sink.at('/news').some(({ body }) => body.includes('workout')));
    const texts = {
      list: list.text,
      workout: (await client.useTool('get_workout', workout)).text,
      workoutWithMore: (await client.useTool('get_workout', { ...workout, include: 'route,laps' })).text,
      user: (await client.useTool('get_user', { user_id: id })).text,
      events: (await api.get('/v1/events')).text,
      webhooks: JSON.stringify(sink.at('/news')),
    };
    for (const [name, text] of Object.entries(texts)) {
      assert.ok(text.includes(id) || text.includes(workout.workout_id) || text.includes('running'), name);
      assert.doesNotMatch(text, /latitude|longitude|52\.5163|13\.3777/, name);
    }
    await client.stop();
  });

  it('offers read-only tools over standard input and output, and ends with its client', async () => {
    const client = await startClient(service.keys.live);
    const { result } = await client.call('tools/list');
    assert.ok(result.tools.length >= 9);
    for (const tool of result.tools) assert.equal(tool.annotations.readOnlyHint, true, tool.name);
    const days = { user_id: userId, from_date: '2026-03-27', to_date: '2026-03-30' };
    const users = await client.useTool('list_users', {});
    assert.equal(users.body.data[0].id, userId);
    const daily = await client.useTool('read_daily', { ...days, types: 'steps,weight' });
    assert.deepEqual(Object.keys(daily.body.series), ['steps', 'weight']);
    const newest = await client.useTool('list_sleep', { ...days, limit: 1 });
    const next = await client.useTool('list_sleep', { ...days, limit: 1, cursor: newest.body.next_cursor });
    assert.deepEqual([newest.body.data.length, next.body.data.length], [1, 1]);
    assert.ok(next.body.data[0].start_time < newest.body.data[0].start_time);
    const workouts = await client.useTool('list_workouts', days);
    const [{ id: workoutId }] = workouts.body.data;
    assert.equal((await client.useTool('get_workout', { user_id: userId, workout_id: workoutId })).body.id, workoutId);
    const { series } = (await client.useTool('read_scores', days)).body;
    assert.deepEqual(Object.keys(series), [...SCORE_TYPES]);
    const explained = await client.useTool('explain_score', {
      user_id: userId,
      type: 'sleep_score',
      date: '2026-03-29',
    });
    assert.ok(explained.body.factors.length > 0);
    const samples = { user_id: userId, metrics: 'steps,heart_rate', start_date: '2026-03-28', end_date: '2026-03-29' };
    const { body } = await client.useTool('summarize_timeseries', samples);
    assert.deepEqual(
      body.metrics.map(({ metric }: JsonBody) => metric),
      ['steps', 'heart_rate'],
    );
    assert.equal(body.metrics[0].sum, 4_940);
    assert.equal(await client.stop(), 0);
  });

  it('reads with a user token only that user, and returns the error of the service as an answer', async () => {
    const { body } = await service.api().post('/v1/auth/user-token', { user_id: userId });
    const client = await startClient(body.token);
    assert.equal((await client.useTool('read_scores', { user_id: userId })).isError, false);
    const own = await client.useTool('read_scores', {});
    assert.equal(own.isError, false, `the token names the user: ${own.text}`);
    const { id: otherId } = await createUser(service.api());
    const other = await client.useTool('read_scores', { user_id: otherId });
    assert.deepEqual(
      [other.isError, other.text],
      [true, 'The token was issued for a different user. Request a token for this user.'],
    );
    const refused = await client.useTool('list_users', {});
    assert.deepEqual([refused.isError, /scope|key|token/i.test(refused.text)], [true, true], refused.text);
    await client.stop();
  });

  it('excludes data whose provider forbids its use by models, and says how much', async (t) => {
    const { body: token } = await service.api().post('/v1/auth/user-token', { user_id: userId });
    const client = await startClient(token.token);
    const days = { user_id: userId, from_date: '2026-03-27', to_date: '2026-03-30' };
    const free = await client.useTool('read_daily', { ...days, types: 'steps,weight' });
    assert.equal(free.body.excluded, undefined);
    restrictProvider(t, 'oura', ['no_ai']);
    await relabelDevices(t, service, userId, { from: 'apple_health', to: 'oura' });
    const daily = await client.useTool('read_daily', { ...days, types: 'steps,weight' });
    const valuesOf = (series: Record<string, unknown[]>) =>
      Object.values(series)
        .flat()
        .filter((value) => value !== null);
    assert.deepEqual(daily.body.excluded.providers, ['oura']);
    assert.equal(
      daily.body.excluded.values,
      valuesOf(free.body.series).length - valuesOf(daily.body.series).length,
      daily.text,
    );
    assert.ok(daily.body.excluded.values > 0);
    assert.equal(daily.body.sources, undefined);
    const scores = await client.useTool('read_scores', days);
    assert.deepEqual([scores.body.series, scores.body.excluded.providers], [undefined, ['oura']]);
    for (const tool of ['list_sleep', 'list_workouts']) {
      const { body, text } = await client.useTool(tool, days);
      assert.deepEqual(body.data, [], text);
      assert.ok(body.excluded.values > 0, text);
    }
    const samples = { user_id: userId, metrics: 'steps,heart_rate', start_date: '2026-03-28', end_date: '2026-03-29' };
    assert.ok((await client.useTool('summarize_timeseries', samples)).body.excluded.values > 0);
    await client.stop();
  });

  it('serves HTTP on a port of this machine with the credential of each caller', async (t) => {
    const port = await findFreePort();
    const running = startCli(t, { ...service }, ['mcp', '--port', String(port)], { TRIBUTARY_URL: service.url });
    await running.waitForOutput(/MCP server on/);
    const post = (message: object, headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      });
    const message = { method: 'tools/call', params: { name: 'get_user', arguments: { user_id: userId } } };
    assert.equal((await post(message, {})).status, 401);
    const right = await post(message, { authorization: `Bearer ${service.keys.live}` });
    assert.match(await right.text(), new RegExp(userId));
    const wrong = await post(message, { authorization: `Bearer ${service.keys.sandbox}` });
    assert.match(await wrong.text(), /isError/);
    const foreign = { authorization: `Bearer ${service.keys.live}`, origin: 'https://other.example' };
    assert.equal((await post(message, foreign)).status, 403);
  });

  it('checks token and host before it reads the body, and rejects a large body', async (t) => {
    const port = await findFreePort();
    const running = startCli(t, { ...service }, ['mcp', '--port', String(port)], { TRIBUTARY_URL: service.url });
    await running.waitForOutput(/MCP server on/);
    const send = async (headers: Record<string, string>, body: string) => {
      const call = request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers });
      call.on('error', () => undefined);
      call.write(body); // the body never ends
      const [response] = await once(call, 'response');
      call.destroy();
      return response.statusCode;
    };
    const authorization = `Bearer ${service.keys.live}`;
    assert.equal(await send({}, '{'), 401);
    assert.equal(await send({ authorization, host: 'other.example' }, '{'), 403);
    assert.equal(await send({ authorization }, ' '.repeat(1_048_577)), 413);
  });

  it('ends a call of the service when its client disconnects', async (t) => {
    const port = await findFreePort();
    let isClosed = false;
    const silent = createHttpServer((_request, response) => {
      response.once('close', () => {
        isClosed = true;
      });
      silent.emit('called');
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    t.after(() => silent.close());
    const url = `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
    const running = startCli(t, { ...service }, ['mcp', '--port', String(port)], { TRIBUTARY_URL: url });
    await running.waitForOutput(/MCP server on/);
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer any',
    };
    const call = request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers });
    call.on('error', () => undefined);
    const params = { name: 'get_user', arguments: { user_id: userId } };
    call.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    await once(silent, 'called');
    call.destroy();
    await waitUntil('the call ends', () => isClosed);
  });
});

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
