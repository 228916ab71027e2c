// Runs the examples of the README and the guides against one service: each code block is run by a script of its page, by a check of
// its own, or by another test, or has a reason why it cannot run (docs/other-blocks.ts).
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { startS3Server } from '../support/s3-server.ts';
import { startSimulator } from '../support/start-simulator.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { CHECKS } from './docs/checks.ts';
import { startCommandBridge } from './docs/command-bridge.ts';
import { checkNpmBlock, isNpmBlock } from './docs/npm-commands.ts';
import { OTHER_BLOCKS } from './docs/other-blocks.ts';
import { PAGE_RUNS } from './docs/page-runs.ts';
import { ROOT, readPages } from './docs/pages.ts';
import { isPinned, startFormProxy } from './docs/pinned-forms.ts';
import type { Block } from './docs/read-blocks.ts';
import { runPage } from './docs/run-page.ts';
import { assertShows, parseAnswer, parseSample } from './docs/sample-json.ts';

const pages = readPages();
const clients = {
  TRIBUTARY_OURA_CLIENT_ID: 'oura',
  TRIBUTARY_OURA_CLIENT_SECRET: 'secret',
  TRIBUTARY_GARMIN_CLIENT_ID: 'garmin',
  TRIBUTARY_GARMIN_CLIENT_SECRET: 'secret',
};
const service = await startTestService({ environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1', ...clients } });
const receiver = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
const [proxy, bridge, simulator, storage, folder, user] = await Promise.all([
  startFormProxy(service.url),
  startCommandBridge(service),
  startSimulator(),
  startS3Server(),
  mkdtemp(path.join(tmpdir(), 'tributary-docs-')),
  createUser(service.api(service.keys.sandbox)),
  service.operator().post('/admin/accounts', { name: 'acme' }),
]);
after(async () => {
  receiver.close();
  proxy.close();
  bridge.close();
  await Promise.all([service.stop(), simulator.close(), storage.stop(), rm(folder, { recursive: true, force: true })]);
});

const verdictOf = (file: string, { name, language }: Block) =>
  OTHER_BLOCKS[file]?.[name] ?? OTHER_BLOCKS[file]?.[`${language} *`];

/** A block is run by the script of its page unless it is listed. */
function isRun(file: string, block: Block): boolean {
  const isShell = block.language === 'sh' || block.language === '';
  return file in PAGE_RUNS && isShell && verdictOf(file, block) === undefined && !isNpmBlock(block);
}

/** JSON after a command is its output. */
function isOutput(file: string, block: Block, before: Block | undefined): boolean {
  return (
    block.language === 'json' && before !== undefined && isRun(file, before) && verdictOf(file, block) === undefined
  );
}

const environment = {
  TRIBUTARY_URL: proxy.url,
  TRIBUTARY_API_KEY: service.keys.sandbox,
  LIVE_KEY: service.keys.live,
  SANDBOX_KEY: service.keys.sandbox,
  USER_ID: user.id,
  BRIDGE_URL: bridge.url,
  SIMULATOR_URL: simulator.url,
  RECEIVER_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
  DATA_FOLDER: service.config.dataDir,
  ...storage.environment,
};
const quickstart = pages.find(({ file }) => file === 'docs/quickstart.md');

describe('code blocks', () => {
  it('are all run or listed', () => {
    const unknown = pages.flatMap(({ file, blocks }) =>
      blocks
        .filter((block, index) => {
          const isKnown = isRun(file, block) || isOutput(file, block, blocks[index - 1]) || isNpmBlock(block);
          return !isKnown && verdictOf(file, block) === undefined;
        })
        .map((block) => `${file}:${block.line} ${block.language}: ${block.name}`),
    );
    assert.deepEqual(unknown, []);
  });

  it('are listed only while they exist', () => {
    const stale = Object.entries(OTHER_BLOCKS).flatMap(([file, entries]) => {
      const blocks = pages.find((page) => page.file === file)?.blocks ?? [];
      const names = blocks.flatMap(({ name, language }) => [name, `${language} *`]);
      return Object.keys(entries).filter((name) => !names.includes(name));
    });
    assert.deepEqual(stale, []);
  });

  it('name only tests that exist', () => {
    const tests = Object.values(OTHER_BLOCKS).flatMap((entries) =>
      Object.values(entries).flatMap((verdict) => ('test' in verdict ? [verdict.test] : [])),
    );
    assert.deepEqual(
      tests.filter((file) => !existsSync(path.join(ROOT, file))),
      [],
    );
  });
});

describe('npm commands', () => {
  for (const { file, blocks } of pages)
    for (const block of blocks.filter(isNpmBlock)) it(`${file}: ${block.name}`, () => checkNpmBlock(block));
});

describe('commands', () => {
  for (const [file, { before = '', replace = {} }] of Object.entries(PAGE_RUNS))
    it(`${file}: every command succeeds`, async () => {
      const blocks = pages.find((page) => page.file === file)?.blocks ?? [];
      const preparation = file === 'docs/quickstart.md' ? '' : (quickstart?.blocks[0]?.code ?? '');
      const own = { blocks: blocks.filter((block) => isRun(file, block)), environment, replace };
      const printed = await runPage({ ...own, before: `${preparation}${before}` });
      for (const [index, block] of blocks.entries()) {
        const command = blocks[index - 1];
        if (command === undefined || !isOutput(file, block, command)) continue;
        assertShows(parseSample(block.code), parseAnswer(printed.get(command.name) ?? ''));
      }
      for (const [name, text] of printed) assert.doesNotMatch(text, /^\{"error":"/m, name);
      if (file === 'docs/quickstart-android.md') assert.match([...printed.values()].join(''), /"steps":\[640\]/);
    });
});

describe('other examples', () => {
  for (const { file, blocks } of pages)
    for (const block of blocks) {
      const verdict = verdictOf(file, block);
      if (verdict === undefined || !('check' in verdict)) continue;
      it(`${file}: ${block.name.slice(0, 60)}`, async () => {
        await CHECKS[verdict.check](block, { service, url: proxy.url, userId: user.id, folder });
      });
    }
});

describe('the form of examples', () => {
  it('is named wherever a call has two', () => assert.deepEqual(proxy.unpinned, []));

  it('is missed in a call that names none', () => {
    assert.equal(isPinned('GET', '/v1/users', null, ''), false);
    assert.equal(isPinned('GET', '/v1/users', '2', ''), true);
    assert.equal(isPinned('GET', '/v1/users?external_ref=ada', null, ''), true);
    assert.equal(isPinned('GET', '/v1/events', null, ''), true);
  });
});
