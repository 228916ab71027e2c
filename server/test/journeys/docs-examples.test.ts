// Runs the examples of the guides for developers: commands against a service, recipes for signatures with a signature of the service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const run = promisify(execFile);
const DOCS = path.resolve(import.meta.dirname, '../../../docs');
const PAGES = [
  'quickstart',
  'quickstart-web',
  'quickstart-ios',
  'quickstart-android',
  'quickstart-coach',
  'forms',
  'webhooks',
];
const PREPARATION = 'quickstart';
/** A command that gets an error response ends the script. */
const STRICT = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; echo; }\n';

const service = await startTestService({ environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' } });
const receiver = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
const folder = await mkdtemp(path.join(tmpdir(), 'tributary-docs-'));
after(async () => {
  await service.stop();
  receiver.close();
  await rm(folder, { recursive: true, force: true });
});

async function readExamples(page: string, language: string): Promise<string[]> {
  const text = await readFile(path.join(DOCS, `${page}.md`), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , code = '']) => code);
}

async function runCommands(page: string, userId: string): Promise<string> {
  const [preparation = ''] = await readExamples(PREPARATION, 'sh');
  const commands = await readExamples(page, 'sh');
  const own = page === PREPARATION ? commands : [preparation, ...commands];
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const script = own.join('\n').replaceAll('https://example.com/hooks/tributary', receiverUrl);
  const env = {
    ...process.env,
    TRIBUTARY_URL: service.url,
    TRIBUTARY_API_KEY: service.keys.sandbox,
    SANDBOX_KEY: service.keys.sandbox,
    LIVE_KEY: service.keys.live,
    USER_ID: userId,
  };
  const { stdout } = await run('bash', ['-c', STRICT + script], { env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

describe('commands of the guides', () => {
  for (const page of PAGES)
    it(`${page}: every command succeeds`, async () => {
      const user = await createUser(service.api(service.keys.sandbox));
      const output = await runCommands(page, user.id);
      assert.ok(output.trim().split('\n').length >= (await readExamples(page, 'sh')).length - 1, output);
      assert.doesNotMatch(output, /"error":/);
    });

  it('quickstart-android: the uploaded steps are in the day', async () => {
    const user = await createUser(service.api(service.keys.sandbox));
    assert.match(await runCommands('quickstart-android', user.id), /"series":\{"steps":\[640\]\}/);
  });
});

it('quickstart-web: the page reads daily values with its token', async () => {
  const user = await createUser(service.api(service.keys.sandbox));
  const { token } = (await service.api(service.keys.sandbox).post('/v1/auth/user-token', { user_id: user.id })).body;
  const [code = ''] = await readExamples('quickstart-web', 'js');
  const values = `const [baseUrl, userId, token] = ${JSON.stringify([service.url, user.id, token])};\n`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', values + code]);
  assert.match(stdout, /\d{4}-\d\d-\d\d/);
});

describe('recipes for signatures', () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;
  const body = '{"event_type":"data.updated"}';
  const sentAt = new Date();
  const headers = {
    'webhook-id': 'one',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('one', sentAt, body)}`,
  };
  const input = (given: string) => JSON.stringify({ headers, body: given, secret });

  it('Node accepts a genuine delivery and rejects a changed one', async () => {
    const [code = ''] = await readExamples('webhooks', 'js');
    const file = path.join(folder, 'genuine.mjs');
    await writeFile(file, code);
    const { isGenuine } = await import(file);
    assert.equal(isGenuine(headers, body, secret), true);
    assert.equal(isGenuine(headers, `${body} `, secret), false);
  });

  it('Python does too', async (t) => {
    const [code = ''] = await readExamples('webhooks', 'python');
    const main =
      'import json, sys\nv = json.loads(sys.argv[1])\nprint(is_genuine(v["headers"], v["body"].encode(), v["secret"]))\n';
    const accepts = (given: string) => run('python3', ['-c', `${code}\n${main}`, input(given)]);
    if (!(await isInstalled('python3', '--version'))) return t.skip('python3 is not installed');
    assert.equal((await accepts(body)).stdout.trim(), 'True');
    assert.equal((await accepts(`${body} `)).stdout.trim(), 'False');
  });

  it('Go does too', async (t) => {
    if (!(await isInstalled('go', 'version'))) return t.skip('go is not installed');
    const [code = ''] = await readExamples('webhooks', 'go');
    const main = `func main() {
	headers := http.Header{}
${Object.entries(headers)
  .map(([name, value]) => `\theaders.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`)
  .join('\n')}
	fmt.Println(IsGenuine(headers, []byte(${JSON.stringify(body)}), ${JSON.stringify(secret)}))
	fmt.Println(IsGenuine(headers, []byte("changed"), ${JSON.stringify(secret)}))
}`;
    const file = path.join(folder, 'main.go');
    await writeFile(file, `${code.replace('package hooks', 'package main')}\n${main}\n`);
    const { stdout } = await run('go', ['run', file], { env: { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off' } });
    assert.deepEqual(stdout.trim().split('\n'), ['true', 'false']);
  });
});

async function isInstalled(program: string, argument: string): Promise<boolean> {
  return run(program, [argument]).then(
    () => true,
    () => false,
  );
}
