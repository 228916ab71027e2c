// The backend of the app: it holds the API key, signs people in, and reads data for them.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { ReferenceTakenError, Tributary } from '@tributary/client';

const { TRIBUTARY_URL = 'http://127.0.0.1:8080', TRIBUTARY_API_KEY, HOST = '127.0.0.1', PORT = '3001' } = process.env;
if (!TRIBUTARY_API_KEY) throw new Error('Set TRIBUTARY_API_KEY to a sandbox key of your service.');

const tributary = new Tributary({ baseUrl: TRIBUTARY_URL, apiKey: TRIBUTARY_API_KEY, form: 2 });
const METRICS = ['steps', 'resting_heart_rate', 'heart_rate'];
/** User id by session. A real backend checks a password and keeps sessions in its database. */
const sessions = new Map();

const ROUTES = {
  'POST /sdk-session': async (userId, { installation_id, platform }) => {
    const { client_token } = await tributary.sdkSessions.create(userId, { installation_id, platform });
    return { client_token };
  },
  'POST /connect-link': async (userId) => {
    const { auth_url } = await tributary.devices.connect(userId, {
      provider: null, // the user chooses from a list
      redirect_url: `${appUrl()}/connected`,
    });
    return { auth_url };
  },
  'GET /day': async (userId, _, query) => {
    const date = query.get('date');
    const { series } = await tributary.daily.get(userId, { types: METRICS, from_date: date, to_date: date });
    return Object.fromEntries(METRICS.map((metric) => [metric, series[metric]?.[0] ?? null]));
  },
};

const server = createServer((request, response) => {
  respond(request, response).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    sendJson(response, 500, { error: 'internal' });
  });
});
server.listen(Number(PORT), HOST, () => process.stdout.write(`The backend is at ${localUrl()}\n`));

const localUrl = () => `http://${HOST}:${server.address().port}`;
/** Where providers send people back to; https with a live key. */
const appUrl = () => process.env.APP_URL ?? localUrl();

async function respond(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://app');
  const route = `${request.method} ${pathname}`;
  const body = request.method === 'POST' ? await readJson(request) : {};
  if (route === 'GET /connected') return sendJson(response, 200, { status: 'connected' });
  if (route === 'POST /sign-in') {
    const session = randomUUID();
    sessions.set(session, await findUser(String(body.name)));
    return sendJson(response, 200, { session });
  }
  const userId = sessions.get((request.headers.authorization ?? '').replace('Bearer ', ''));
  if (userId === undefined) return sendJson(response, 401, { error: 'unauthorized' });
  const handle = Object.hasOwn(ROUTES, route) ? ROUTES[route] : null;
  if (handle === null) return sendJson(response, 404, { error: 'not_found' });
  sendJson(response, 200, await handle(userId, body, searchParams));
}

async function findUser(reference) {
  try {
    return (await tributary.users.create({ external_ref: reference })).id;
  } catch (error) {
    if (error instanceof ReferenceTakenError) return error.details.user_id;
    throw error;
  }
}

async function readJson(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function sendJson(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
