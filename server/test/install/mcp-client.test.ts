// `npm run test:install` also tests `tributary mcp` with the client of the official MCP SDK, which we do not depend on.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { EMPTY_FOLDER, openServiceHarness, REPOSITORY } from '../support/service-process.ts';
import { installPackages } from './machines.ts';

const run = promisify(execFile);
const LIMIT_MS = 120_000;
const JOURNEY = 'mcp-journey.mjs';
const PROGRAM = join(REPOSITORY, 'server/tributary.js');

it('the client of the MCP SDK uses every tool, over standard input and output and over HTTP', async (t) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tributary-mcp-')));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const missing = await installPackages(folder, { '@modelcontextprotocol/client': '2.4.0' });
  if (missing !== null) return t.skip(missing);
  await cp(join(import.meta.dirname, JOURNEY), join(folder, JOURNEY));
  const harness = await openServiceHarness(t, EMPTY_FOLDER);
  const { url, keys } = await harness.start().ready();
  const call = openApi(url, keys.sandbox);
  const user = await call('/v1/users', { external_ref: 'mcp-1' });
  const other = await call('/v1/users', { external_ref: 'mcp-2' });
  const { token } = await call('/v1/auth/user-token', { user_id: user.id });
  const workouts = await call(`/v1/users/${user.id}/workouts?limit=1`);
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  const given = {
    ...{ service: url, mcp: await startMcp(t, url), program: PROGRAM },
    ...{ key: keys.sandbox, userToken: token, user: user.id, other: other.id, workout: workouts.data[0].id },
    ...{ longAgo: daysAgo(365), from: daysAgo(22), to: daysAgo(2) },
  };
  const env = { ...process.env, GIVEN: JSON.stringify(given) };
  const { stdout } = await run(process.execPath, [JOURNEY], { cwd: folder, timeout: LIMIT_MS, env });
  assert.equal(stdout.trim(), 'done');
});

function openApi(url: string, key: string) {
  return async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'api-form': '2', 'content-type': 'application/json' };
    const response = await fetch(url + path, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, text);
    return JSON.parse(text);
  };
}

/** Returns its address, on a port that the system chooses. */
async function startMcp(t: TestContext, url: string): Promise<string> {
  const server = spawn(process.execPath, [PROGRAM, 'mcp', '--port', '0'], {
    env: { ...process.env, TRIBUTARY_URL: url },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  t.after(() => server.kill());
  for await (const line of createInterface({ input: server.stderr })) {
    const [address] = /http:\S+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('the MCP server ended');
}
