// The backend: it holds the API key, creates connect links, reads data, and receives webhooks.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { ReferenceTakenError, Tributary, verifyWebhook, WebhookVerificationError } from '@tributary/client';

const { TRIBUTARY_URL = 'http://127.0.0.1:8080', TRIBUTARY_API_KEY, HOST = '127.0.0.1', PORT = '3000' } = process.env;
if (!TRIBUTARY_API_KEY) throw new Error('Set TRIBUTARY_API_KEY to a sandbox key of your service.');

const tributary = new Tributary({ baseUrl: TRIBUTARY_URL, apiKey: TRIBUTARY_API_KEY, form: 2 });
const DAYS = 14;
const MAX_EVENTS = 20;

/** What a real app keeps in its database. */
const state = { userId: await findUser('example-web'), secret: null, events: [] };

const server = createServer((request, response) => {
  respond(request, response).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    sendJson(response, 500, { error: 'internal' });
  });
});
server.listen(Number(PORT), HOST, async () => {
  const appUrl = process.env.APP_URL ?? `http://${HOST}:${server.address().port}`;
  state.appUrl = appUrl;
  await registerWebhook(`${appUrl}/webhooks`);
  process.stdout.write(`Open ${appUrl}\n`);
});

async function respond(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://app');
  const route = `${request.method} ${pathname}`;
  if (route === 'GET /api/steps') return sendJson(response, 200, await readSteps());
  if (route === 'GET /api/events') return sendJson(response, 200, state.events);
  if (route === 'POST /api/connect-link')
    return sendJson(response, 200, await createLink(searchParams.get('provider')));
  if (route === 'POST /webhooks') return receiveWebhook(request, response);
  if (request.method === 'GET') return sendFile(response, pathname);
  sendJson(response, 404, { error: 'not_found' });
}

async function findUser(reference) {
  try {
    return (await tributary.users.create({ external_ref: reference })).id;
  } catch (error) {
    if (error instanceof ReferenceTakenError) return error.details.user_id;
    throw error;
  }
}

async function readSteps() {
  const from = new Date(Date.now() - (DAYS - 1) * 86_400_000).toISOString().slice(0, 10);
  const { dates, series } = await tributary.daily.get(state.userId, { types: ['steps'], from_date: from });
  return { dates, values: series.steps };
}

/** Without a provider the person chooses one. */
async function createLink(provider) {
  const redirect_url = `${state.appUrl}/connected`;
  const { auth_url } = await tributary.devices.connect(state.userId, { redirect_url, provider: provider ?? null });
  return { auth_url };
}

/** The secret is shown only once, so this app replaces the webhook at each start. */
async function registerWebhook(url) {
  try {
    const { data: webhooks } = await tributary.webhooks.list();
    for (const webhook of webhooks) if (webhook.url === url) await tributary.webhooks.delete(webhook.id);
    const { data } = await tributary.webhooks.create({ url, events: ['*'], description: 'examples/web' });
    state.secret = data.secret;
  } catch (error) {
    process.stdout.write(`No webhooks: ${error.message}\n`);
    process.stdout.write(
      'Start the service with TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS=1 to receive them on this machine.\n',
    );
  }
}

async function receiveWebhook(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const body = Buffer.concat(chunks);
    const event = await verifyWebhook({ secret: state.secret ?? [], headers: request.headers, body });
    const isKnown = state.events.some(({ event_id }) => event_id === event.event_id);
    if (!isKnown) state.events = [event, ...state.events].slice(0, MAX_EVENTS);
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    sendJson(response, 400, { error: error.reason });
  }
}

const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css' };
const FILE = /^\/(connect\/)?([a-z-]+)\.(js|css)$/;

async function sendFile(response, pathname) {
  const [, isLibrary, name, type] = pathname.match(FILE) ?? [null, undefined, 'index', 'html'];
  const folder = isLibrary
    ? new URL('.', import.meta.resolve('@tributary/connect'))
    : new URL('public/', import.meta.url);
  try {
    const text = await readFile(new URL(`${name}.${type}`, folder));
    response.writeHead(200, { 'content-type': TYPES[type] }).end(text);
  } catch {
    sendJson(response, 404, { error: 'not_found' });
  }
}

function sendJson(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
