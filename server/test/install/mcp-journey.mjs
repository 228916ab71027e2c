// Runs with the client of the official MCP SDK, over both transports. Prints "done" at the end.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const given = JSON.parse(process.env.GIVEN); // see mcp-client.test.ts
const { user, other, key, userToken, service } = given;
const days = { user_id: user, from_date: given.from, to_date: given.to };
const samples = { user_id: user, metrics: 'steps,heart_rate', start_date: given.from, end_date: given.to };

function check(isTrue, what, seen) {
  if (!isTrue) throw new Error(`failed: ${what}: ${JSON.stringify(seen)?.slice(0, 500)}`);
}

const transports = {
  stdio: (token) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [given.program, 'mcp'],
      env: { ...process.env, TRIBUTARY_URL: service, TRIBUTARY_API_KEY: token },
    }),
  http: (token) =>
    new StreamableHTTPClientTransport(new URL(given.mcp), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
};

async function open(transport) {
  const client = new Client({ name: 'journey', version: '1' });
  await client.connect(transport);
  return {
    client,
    /** The text of the answer, parsed if it is no error. */
    async use(name, input) {
      const { isError, content } = await client.callTool({ name, arguments: input });
      check(content.length === 1 && content[0].type === 'text', `${name} answers with one text`, content);
      return { isError: isError === true, text: content[0].text, body: isError ? null : JSON.parse(content[0].text) };
    },
  };
}

const good = {
  list_users: [{ limit: 100 }, ({ data }) => data.some(({ id }) => id === user)],
  get_user: [{ user_id: user }, ({ id }) => id === user],
  list_metrics: [{}, (body) => JSON.stringify(body).includes('resting_heart_rate')],
  read_daily: [{ ...days, types: 'steps,weight' }, ({ series }) => series.steps.some((value) => value > 0)],
  list_sleep: [{ ...days, include_stages: true }, ({ data }) => data[0].stages.length > 0],
  list_workouts: [days, ({ data }) => data.length > 0],
  get_workout: [{ user_id: user, workout_id: given.workout }, ({ id }) => id === given.workout],
  read_scores: [days, ({ series }) => 'sleep_score' in series],
  explain_score: [
    { user_id: user, type: 'sleep_score', date: given.to },
    (body) => 'factors' in body || 'reason' in body,
  ],
  summarize_timeseries: [samples, ({ metrics }) => metrics.length === 2 && metrics[0].sum > 0],
};

/** Per tool: arguments that it refuses, and what the answer names. */
const bad = {
  list_users: [{ limit: 1_000 }, /limit/],
  get_user: [{}, /user_id/],
  read_daily: [{ ...days, types: 'stepz' }, /stepz|types/],
  list_sleep: [{ ...days, from_date: 'yesterday' }, /from_date/],
  list_workouts: [{ ...days, from_date: given.to, to_date: given.from }, /from_date|to_date/],
  get_workout: [{ user_id: user, workout_id: '../daily' }, /not found|id|workout/i],
  read_scores: [{ user_id: 7 }, /user_id/],
  explain_score: [{ user_id: user, type: 'luck', date: given.to }, /type|luck/],
  summarize_timeseries: [{ ...samples, start_date: '2020-01-01' }, /31|days|range/],
};

for (const [transport, connect] of Object.entries(transports)) {
  const { client, use } = await open(connect(key));
  check(client.getServerVersion()?.name === 'tributary', 'the server says its name', client.getServerVersion());
  const { tools } = await client.listTools();
  check(
    tools
      .map(({ name }) => name)
      .sort()
      .join() === Object.keys(good).sort().join(),
    'all tools are used here',
    tools,
  );
  for (const { name, description, inputSchema, annotations } of tools)
    check(
      description && inputSchema.type === 'object' && annotations.readOnlyHint,
      `${name} is described`,
      inputSchema,
    );
  for (const [name, [input, isRight]] of Object.entries(good)) {
    const answer = await use(name, input);
    check(!answer.isError && isRight(answer.body), `${transport}: ${name}`, answer.text);
  }
  for (const [name, [input, names]] of Object.entries(bad)) {
    const answer = await use(name, input);
    check(answer.isError && names.test(answer.text), `${transport}: ${name} refuses`, answer.text);
    check(!/\bat .*\.ts:\d|select |postgres/i.test(answer.text), `${name} shows no internals`, answer.text);
  }
  const unknown = await use('get_user', { user_id: '0190a000-0000-7000-8000-000000000000' });
  check(unknown.isError && /not found|no user/i.test(unknown.text), 'an unknown user', unknown.text);
  const absent = await client.callTool({ name: 'delete_user', arguments: { user_id: user } }).then(
    ({ isError }) => isError === true,
    () => true,
  );
  check(absent, 'a tool that does not exist', absent);
  const { body: catalog } = await use('list_metrics', {});
  const types = catalog.data.flatMap(({ id }) => (id.endsWith('_score') ? [] : [id])).join();
  const large = await use('read_daily', { user_id: user, from_date: given.longAgo, to_date: given.to, types });
  check(large.isError && large.text.length < 1_000 && /fewer/.test(large.text), 'a large answer', large.text);
  await client.close();

  const own = await open(connect(userToken));
  check(!(await own.use('read_scores', days)).isError, 'a user token reads its user', transport);
  for (const name of ['read_daily', 'list_sleep', 'list_workouts', 'read_scores', 'summarize_timeseries']) {
    const answer = await own.use(name, { ...good[name][0], user_id: other });
    check(answer.isError && /token|user/i.test(answer.text), `${transport}: ${name} of another user`, answer.text);
  }
  check((await own.use('list_users', {})).isError, 'a user token lists no users', transport);
  await own.client.close();
}

const refused = await open(transports.http('sk_wrong')).then(({ use }) => use('list_users', {}));
check(refused.isError && /key|token/i.test(refused.text) && !/\{\}/.test(refused.text), 'a wrong key', refused.text);
const anonymous = new StreamableHTTPClientTransport(new URL(given.mcp));
const failure = await open(anonymous).then(
  () => null,
  (error) => error,
);
check(failure !== null, 'no key', failure);
process.stdout.write('done\n');
