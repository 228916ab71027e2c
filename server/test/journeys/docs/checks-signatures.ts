// The recipes that verify the signature of a webhook, with a delivery as the service signs it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import type { Check } from './check-context.ts';

const run = promisify(execFile);

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;
const body = '{"event_type":"data.updated"}';
const changed = `${body} `;
const sentAt = new Date();
const headers = {
  'webhook-id': 'one',
  'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
  'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('one', sentAt, body)}`,
};

export const SIGNATURE_CHECKS = {
  signatureInNode: async ({ code }, { folder }) => {
    const file = path.join(folder, 'genuine.mjs');
    await writeFile(file, code);
    const { isGenuine } = await import(pathToFileURL(file).href);
    assert.equal(isGenuine(headers, body, secret), true);
    assert.equal(isGenuine(headers, changed, secret), false);
  },
  signatureInPython: async ({ code }) => {
    const main = `
import json, sys
v = json.loads(sys.argv[1])
print([is_genuine(v["headers"], body.encode(), v["secret"]) for body in v["bodies"]])`;
    const input = JSON.stringify({ headers, secret, bodies: [body, changed] });
    const { stdout } = await run('python3', ['-c', `${code}${main}`, input]);
    assert.equal(stdout.trim(), '[True, False]');
  },
  signatureInGo: async ({ code }, { folder }) => {
    if (!(await isInstalled('go', 'version'))) return;
    const set = Object.entries(headers).map(
      ([name, value]) => `\theaders.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
    );
    const main = `func main() {
	headers := http.Header{}
${set.join('\n')}
	fmt.Println(IsGenuine(headers, []byte(${JSON.stringify(body)}), ${JSON.stringify(secret)}))
	fmt.Println(IsGenuine(headers, []byte("changed"), ${JSON.stringify(secret)}))
}`;
    const file = path.join(folder, 'main.go');
    await writeFile(file, `${code.replace('package hooks', 'package main')}\n${main}\n`);
    const { stdout } = await run('go', ['run', file], { env: { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off' } });
    assert.deepEqual(stdout.trim().split('\n'), ['true', 'false']);
  },
} satisfies Record<string, Check>;

async function isInstalled(program: string, argument: string): Promise<boolean> {
  return run(program, [argument]).then(
    () => true,
    () => false,
  );
}
