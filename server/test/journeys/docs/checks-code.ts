// Blocks in a programming language, run against the service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Check, CheckContext } from './check-context.ts';
import { SIGNATURE_CHECKS } from './checks-signatures.ts';
import { ROOT, readText } from './pages.ts';
import { readBlocks } from './read-blocks.ts';

const run = promisify(execFile);
const PACKAGES = ['client', 'connect', 'mobile'];

export const CODE_CHECKS = {
  ...SIGNATURE_CHECKS,
  javascript: async ({ code }, context) => {
    const { dates, series } = await load(`${withUrl(code, context)}\nexport { dates, series };`, context);
    assert.equal((dates as unknown[]).length, (series as { steps: unknown[] }).steps.length);
  },
  python: async ({ code }, context) => {
    const script = `${withUrl(code, context)}\nprint(len(daily["dates"]) == len(daily["series"]["steps"]))`;
    const { stdout } = await run('python3', ['-c', script], {
      env: { ...process.env, PYTHONPATH: path.join(ROOT, 'sdk/python'), ...keyOf(context) },
    });
    assert.equal(stdout.trim(), 'True');
  },
  /** With the client and the user of the page's first example. Writes a file, whose name stands for itself in the folder. */
  exportInJavascript: async ({ code }, context) => {
    const [, name = ''] = /writeFile\('([\w.]+)'/.exec(code) ?? [];
    const written = path.join(context.folder, `javascript-${name}`);
    const options = JSON.stringify({ baseUrl: context.url, apiKey: context.service.keys.sandbox, form: 2 });
    const setup = `import { Tributary } from '@tributary/client';
const tributary = new Tributary(${options});
const user = { id: '${context.userId}' };
`;
    await load(setup + code.replace(`'${name}'`, JSON.stringify(written)), context);
    assert.match(
      await readFile(written, 'latin1'),
      name.endsWith('.parquet') ? /^PAR1.*PAR1$/s : /^\{"resource":.*\}\n$/s,
    );
  },
  exportInPython: async ({ code }, context) => {
    const setup = `from tributary import connect
client = connect("${context.url}", api_key="${context.service.keys.sandbox}", form=2)
user = {"id": "${context.userId}"}
`;
    const { stdout } = await run('python3', ['-c', setup + code], {
      cwd: context.folder,
      env: { ...process.env, PYTHONPATH: path.join(ROOT, 'sdk/python') },
    });
    const [, name] = /open\("([\w.]+)"/.exec(code) ?? [];
    if (name === undefined) assert.match(stdout, /^daily 2\d{3}-/);
    else assert.match(await readFile(path.join(context.folder, name), 'utf8'), /^\{"resource":.*\}\n$/s);
  },
  browserRead: async ({ code }, context) => {
    const { service, userId, url } = context;
    const issued = await service.api(service.keys.sandbox).post('/v1/auth/user-token', { user_id: userId });
    const values = `const [baseUrl, userId, token] = ${JSON.stringify([url, userId, issued.body.token])};\n`;
    const { dates } = await load(`${values}${code}\nexport { dates };`, context);
    assert.match(String((dates as string[])[0]), /^\d{4}-\d\d-\d\d$/);
  },
  connectLink: async ({ code }, context) => {
    const { service, userId, url } = context;
    const values = `const [API, KEY, userId] = ${JSON.stringify([url, service.keys.sandbox, userId])};\n`;
    const { auth_url } = await load(`${values}${code}\nexport { auth_url };`, context);
    assert.match(String(auth_url), /\/connect\//);
  },
  /** A browser test presses the button; here the names of the example are those of the package. */
  connectPage: async ({ code }, context) => {
    const [, script = ''] = /<script type="module">(.*)<\/script>/s.exec(code) ?? [];
    const pressed = `const document = { querySelector: () => ({ addEventListener() {} }) };\n`;
    await load(`${pressed}${script}`, context);
  },
  connectComponent: async ({ code }, context) => {
    const component = /<(\w+) authUrl=\{\w+\} onOutcome=\{.*?\}>\n(.*?)\n<\/\1>/s.exec(code);
    assert.ok(component, 'the element is closed');
    const [head = ''] = code.split('\n\n');
    assert.equal(typeof (await load(`${head}\nexport { ${component[1]} };`, context))[component[1] ?? ''], 'function');
  },
  /** The two blocks belong together: the second uses the client of the first. */
  mobileApp: async ({ code }, context) => {
    const [first, second] = readBlocks(readText('docs/mobile.md')).filter(({ language }) => language === 'ts');
    if (code === first?.code) return;
    assert.equal(code, second?.code);
    const { service, userId } = context;
    const issued = await service.api(service.keys.sandbox).post('/v1/auth/mobile-token', { user_id: userId });
    const app = `${MOBILE_STUBS}const fetchClientToken = async () => '${issued.body.token}';
${(first?.code ?? '').replace(/^import .*react-native-mmkv.*$/m, '')}${second?.code}export { pending, stopped };`;
    assert.deepEqual({ ...(await load(withUrl(app, context), context)) }, { pending: 0, stopped: null });
  },
} satisfies Record<string, Check>;

const MOBILE_STUBS = `class Storage extends Map {
  getString(key) { return this.get(key); }
  getAllKeys() { return [...this.keys()]; }
  remove(key) { return this.delete(key); }
}
const createMMKV = () => new Storage();
const queryQuantitySamplesWithAnchor = async (type) => ({ newAnchor: 'a1', deletedSamples: [], samples: [{
  uuid: '5a3c', quantityType: type, quantity: 61, unit: 'count/min',
  startDate: '2026-03-02T07:01:00.000Z', endDate: '2026-03-02T07:01:00.000Z',
  sourceRevision: { source: { name: 'Watch', bundleIdentifier: 'com.apple.health.1' }, productType: 'Watch7,1' },
}] });
`;

function keyOf({ service }: CheckContext): Record<string, string> {
  return { TRIBUTARY_API_KEY: service.keys.sandbox };
}

function withUrl(code: string, { url }: CheckContext): string {
  return code.replaceAll('https://health.example.com', url);
}

let modules = 0;

/** Runs it in this process and returns its exports. */
async function load(code: string, context: CheckContext): Promise<Record<string, unknown>> {
  const own = PACKAGES.reduce((text, name) => {
    const source = (file: string) => pathToFileURL(path.join(ROOT, 'sdk', name, 'src', file)).href;
    return text
      .replaceAll(`'@tributary/${name}'`, `'${source('index.ts')}'`)
      .replaceAll(`'@tributary/${name}/react'`, `'${source('react.ts')}'`);
  }, code);
  Object.assign(process.env, keyOf(context));
  const file = path.join(context.folder, `example-${modules++}.mjs`);
  await writeFile(file, own);
  return import(pathToFileURL(file).href);
}
