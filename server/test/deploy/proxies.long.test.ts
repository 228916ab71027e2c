// The proxy configurations of deploy/ with the real programs, in front of a real service.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { Agent } from 'undici';
import { MAX_JSON_BYTES } from '../../src/platform/http/body.ts';
import { MAX_PART_BYTES } from '../../src/platform/http/byte-body.ts';
import { MAX_PACKED_BYTES } from '../../src/platform/http/packed-body.ts';
import { memberRoutes, publicRawRoutes, publicRoutes } from '../../src/routes.ts';
import { REPOSITORY } from '../support/service-process.ts';
import { createMember } from '../support/test-members.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const run = promisify(execFile);

type ProxySetup = {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  /** Host and port of the service. */
  readonly upstream: string;
};
type Proxy = {
  readonly name: string;
  readonly program: string;
  /** Writes the configuration and returns the arguments of the program, which also gets the variables of the Caddyfile. */
  configure(setup: ProxySetup): Promise<readonly string[]>;
};

const SECRET = 'c29tZS1zZWNyZXQ';
/** Paths that are secrets, and how they are logged. */
const SECRET_PATHS = {
  [`/connect/${SECRET}`]: '/connect/[redacted]',
  [`/connect/callback/oura?code=${SECRET}&state=${SECRET}`]: '/connect/callback/oura',
  [`/invitations/${SECRET}`]: '/invitations/[redacted]',
  [`/invitations/${SECRET}/connect`]: '/invitations/[redacted]',
  [`/my-data/${SECRET}`]: '/my-data/[redacted]',
  [`/provider-webhooks/oura/app/${SECRET}`]: '/provider-webhooks/oura/app/[redacted]',
  [`/simulator/oura/oauth/authorize?state=${SECRET}`]: '/simulator/oura/oauth/authorize',
};
const LOG = 'access.log';
const ERROR_LOG = 'error.log';
const LIMIT_MS = 30_000;
/** Asks the recorder for the size of the body. */
const MEASURE = 'x-measure';

const NGINX: Proxy = {
  name: 'nginx',
  program: '/usr/sbin/nginx',
  async configure({ folder, port, plainPort, upstream }) {
    const given = await readFile(join(REPOSITORY, 'deploy/nginx/tributary.conf'), 'utf8');
    const site = replaceAll(given, {
      'server 127.0.0.1:8080': `server ${upstream}`,
      'listen 80;': `listen 127.0.0.1:${plainPort};`,
      'listen [::]:80;': '',
      'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
      'listen [::]:443 ssl http2;': '',
      '/etc/tributary': folder,
      '/var/log/nginx/tributary.log': join(folder, LOG),
      '/var/log/nginx/tributary-error.log': join(folder, ERROR_LOG),
    });
    const main = join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    await writeFile(
      main,
      `daemon off; master_process off; pid ${folder}/pid;\nevents {}\nhttp {\n${temporary.join('\n')}\n${site}}\n`,
    );
    return ['-c', main, '-e', join(folder, 'start.log')];
  },
};

const CADDY: Proxy = {
  name: 'Caddy',
  program: '/usr/bin/caddy',
  async configure({ folder }) {
    const given = await readFile(join(REPOSITORY, 'deploy/caddy/Caddyfile'), 'utf8');
    const site = replaceAll(given, {
      '{\n\tlog {': '{\n\tadmin off\n\tauto_https disable_redirects\n\tlog {',
      '# tls /etc/tributary/tls.crt /etc/tributary/tls.key': `tls ${folder}/tls.crt ${folder}/tls.key`,
      'output stdout': `output file ${join(folder, LOG)}`,
    });
    const file = join(folder, 'Caddyfile');
    await writeFile(file, site);
    return ['run', '--config', file, '--adapter', 'caddyfile'];
  },
};

for (const proxy of [NGINX, CADDY])
  describe(`${proxy.name} in front of the service`, {
    skip: existsSync(proxy.program) ? false : 'not installed',
  }, () => {
    it('serves the API, streams and pages over TLS, hides metrics, and logs no secret', async (t) => {
      const { url, service, seen, readLog } = await startBehind(t, proxy);
      const get = (path: string, headers: Record<string, string> = {}) => call(`${url}${path}`, { headers });

      const version = await get('/version', { 'x-forwarded-for': '203.0.113.7' });
      assert.equal(version.status, 200);
      assert.equal(version.headers.get('strict-transport-security'), 'max-age=31536000');
      assert.equal(seen.at(-1)?.['x-forwarded-for'], '127.0.0.1', 'replaces an invented address');
      assert.deepEqual([(await get('/metrics')).status, (await get('/readyz')).status], [404, 404]);

      const created = await call(`${url}/v1/users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.keys.live}`, 'content-type': 'application/json' },
        body: JSON.stringify({ external_ref: 'ada' }),
      });
      assert.equal(created.status, 201);
      const upload = { method: 'POST', headers: { 'content-type': 'application/json' }, body: 'x'.repeat(7_000_000) };
      assert.equal((await call(`${url}/v1/sdk/uploads`, upload)).status, 401, 'the service answers, not the proxy');

      await readStream(url, service);
      for (const path of Object.keys(SECRET_PATHS)) await get(path);
      await waitUntil(
        'all requests are in the log',
        async () => (await readLog()).includes('/simulator/oura'),
        LIMIT_MS,
      );
      const log = await readLog();
      for (const logged of Object.values(SECRET_PATHS)) assert.ok(log.includes(logged), logged);
      assert.ok(!log.includes(SECRET), 'no secret');
      assert.ok(!log.includes(service.keys.live), 'no key');
    });

    it('passes on the largest body of every route', async (t) => {
      const { url } = await startBehind(t, proxy);
      const largest = listLargestBodies();
      assert.equal(largest.get('/provider-webhooks/x/x/x'), 32 * 1_048_576);
      assert.ok(largest.size > 50);
      for (const [path, bytes] of largest) {
        const reply = await call(`${url}${path}`, {
          method: 'POST',
          headers: { [MEASURE]: '1' },
          body: Buffer.alloc(bytes),
        });
        assert.deepEqual([reply.status, await reply.text()], [200, String(bytes)], path);
      }
    });

    it('logs no secret while the service is stopped and its disk is full', async (t) => {
      const { folder, url, stopUpstream, readOutput } = await startBehind(t, proxy);
      await stopUpstream();
      // nginx cannot store a body that it has to buffer.
      await rm(join(folder, 'client_body'), { recursive: true, force: true });
      await writeFile(join(folder, 'client_body'), '');
      const body = 'x'.repeat(100_000);
      const replies = await Promise.all(
        Object.keys(SECRET_PATHS).flatMap((path) => [
          call(`${url}${path}`, {}),
          call(`${url}${path}`, { method: 'POST', body }),
        ]),
      );
      for (const { status, url: path } of replies) assert.ok(status >= 500, `${path}: ${status}`);
      await waitUntil(
        'all requests are in the log',
        async () => (await readOutput()).split('/simulator/oura').length > 2,
        LIMIT_MS,
      );
      assert.ok(!(await readOutput()).includes(SECRET), 'no secret');
    });
  });

/** In bytes, by an address of the route. */
function listLargestBodies(): ReadonlyMap<string, number> {
  const sizes = { json: MAX_JSON_BYTES, packed_json: MAX_PACKED_BYTES, bytes: MAX_PART_BYTES };
  const routes = [...publicRoutes, ...memberRoutes]
    .filter(({ method }) => method !== 'GET')
    .map((route) => [route.path, sizes[route.bodyKind ?? 'json']] as const);
  const rawRoutes = publicRawRoutes.map(({ path, maxBodyBytes }) => [path, maxBodyBytes] as const);
  const largest = new Map<string, number>();
  for (const [path, bytes] of [...routes, ...rawRoutes]) {
    const address = path.replaceAll(/:\w+|\*/g, 'x');
    if (bytes > (largest.get(address) ?? 0)) largest.set(address, bytes);
  }
  return largest;
}

/** The first message of the dashboard's stream arrives while the stream is open. */
async function readStream(url: string, service: TestService): Promise<void> {
  const { cookie } = await createMember(service, 'default', 'owner');
  const abort = new AbortController();
  const response = await call(`${url}/dashboard/api/live/live?topics=events`, {
    headers: { cookie: `__Host-${cookie}` },
    signal: abort.signal,
  });
  assert.equal(response.status, 200);
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  assert.match(new TextDecoder().decode(value), /event: open/);
  abort.abort();
}

const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });

function call(url: string, options: RequestInit): Promise<Response> {
  return fetch(url, { ...options, redirect: 'manual', dispatcher } as object);
}

async function startBehind(t: TestContext, proxy: Proxy) {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-proxy-'));
  await chmod(folder, 0o755);
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [port, plainPort, servicePort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const url = `https://localhost:${port}`;
  const service = await startTestService({
    environment: { PORT: String(servicePort), TRIBUTARY_PUBLIC_URL: url, TRIBUTARY_TRUSTED_PROXIES: '127.0.0.1' },
  });
  t.after(() => service.stop());
  const recorder = await startRecorder(t, servicePort);
  await createCertificate(folder);
  const upstream = `127.0.0.1:${recorder.port}`;
  const args = await proxy.configure({ folder, port, plainPort, upstream });
  const stopped = `127.0.0.1:${await findFreePort()}`; // a process that does not answer is skipped
  const variables = { TRIBUTARY_DOMAIN: `https://localhost:${port}`, TRIBUTARY_UPSTREAMS: `${stopped} ${upstream}` };
  const child = spawn(proxy.program, args, {
    env: { PATH: process.env.PATH, HOME: folder, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(async () => {
    const ended = once(child, 'exit');
    if (child.exitCode === null) child.kill('SIGTERM') && (await ended);
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const answers = () =>
    call(`${url}/healthz`, {}).then(
      ({ status }) => status === 200,
      () => false,
    );
  await waitUntil(`${proxy.name} to answer`, async () => child.exitCode !== null || (await answers()), LIMIT_MS);
  assert.equal(child.exitCode, null, output);
  const readLog = () => readFile(join(folder, LOG), 'utf8');
  return {
    folder,
    url,
    service,
    seen: recorder.seen,
    stopUpstream: recorder.stop,
    readLog,
    /** Everything that the program has written. */
    readOutput: async () =>
      output + (await readLog()) + (await readFile(join(folder, ERROR_LOG), 'utf8').catch(() => '')),
  };
}

/** Passes requests on to the service, and keeps the headers that arrived. */
async function startRecorder(t: TestContext, servicePort: number) {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((incoming, reply) => {
    if (incoming.url !== '/readyz') seen.push(incoming.headers);
    if (incoming.headers[MEASURE]) return void buffer(incoming).then(({ length }) => reply.end(String(length)));
    const { method, url: path, headers } = incoming;
    const outgoing = request({ host: '127.0.0.1', port: servicePort, method, path, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    outgoing.on('error', () => reply.destroy());
    reply.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  t.after(stop);
  return { port, seen, stop };
}

async function createCertificate(folder: string): Promise<void> {
  const files = ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    ...files,
    ...subject,
  ]);
}

async function findFreePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Fails if the file no longer contains a text that the test replaces. */
function replaceAll(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((current, [from, to]) => {
    assert.ok(current.includes(from), `the configuration contains ${from}`);
    return current.replaceAll(from, to);
  }, text);
}
