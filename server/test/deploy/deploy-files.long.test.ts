// The files of deploy/ name settings that exist, and systemd accepts the units.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { listProviderVariables } from '../../src/config.ts';
import { SETTINGS } from '../../src/settings.ts';
import { VERSION } from '../../src/version.ts';
import { REPOSITORY } from '../support/service-process.ts';

const run = promisify(execFile);
const DEPLOY = join(REPOSITORY, 'deploy');
/** graphile-worker depends on it, through cosmiconfig. */
const { load }: { load(text: string): unknown } = createRequire(import.meta.url)('js-yaml');

const KNOWN = new Set<string>([...Object.values(SETTINGS).map(({ variable }) => variable), ...listProviderVariables()]);
const UNITS = join(DEPLOY, 'systemd');
const MOST_EXPOSURE = 2; // the units have 1.5; other versions of systemd may count differently
const HARDENING = [
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'CapabilityBoundingSet=',
  'SystemCallFilter=@system-service',
];

type ComposeService = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly logging?: object;
  readonly depends_on?: Readonly<Record<string, unknown>>;
};

describe('the Compose files', () => {
  for (const name of ['compose.yaml', 'compose.scaled.yaml'])
    it(`${name} names settings that exist, and services that exist`, async () => {
      const file = load(await readFile(join(DEPLOY, name), 'utf8')) as { services: Record<string, ComposeService> };
      const own = Object.values(file.services).filter(({ image }) => image === 'tributary');
      assert.ok(own.length > 0);
      for (const service of own) {
        const variables = Object.keys(service.environment ?? {});
        assert.deepEqual(
          variables.filter((variable) => !KNOWN.has(variable)),
          [],
        );
        assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']]);
        assert.ok(service.mem_limit !== undefined && service.pids_limit !== undefined);
        for (const needed of Object.keys(service.depends_on ?? {})) assert.ok(needed in file.services, needed);
      }
    });

  it('let no container gain rights or fill the disk with its log', async () => {
    for (const name of ['compose.yaml', 'compose.scaled.yaml']) {
      const file = load(await readFile(join(DEPLOY, name), 'utf8')) as { services: Record<string, ComposeService> };
      assert.ok(Object.keys(file.services).length > 1);
      for (const { image, security_opt, logging } of Object.values(file.services))
        assert.deepEqual([security_opt, logging], [['no-new-privileges:true'], { driver: 'local' }], image);
    }
  });

  it('compose.scaled.yaml sends requests to every API process, and only one process owns the tables', async () => {
    const file = load(await readFile(join(DEPLOY, 'compose.scaled.yaml'), 'utf8')) as {
      services: Record<string, ComposeService>;
    };
    const named = Object.entries(file.services);
    const apis = named.filter(([, { command }]) => command?.join(' ') === 'serve --only api').map(([name]) => name);
    assert.equal(file.services.caddy?.environment?.TRIBUTARY_UPSTREAMS, apis.map((name) => `${name}:8080`).join(' '));
    const owners = named.filter(([, { environment }]) => environment?.TRIBUTARY_MIGRATION_DATABASE_URL !== undefined);
    assert.deepEqual(
      owners.map(([name]) => name),
      ['migrate'],
    );
    assert.ok(named.some(([, { command }]) => command?.join(' ') === 'serve --only worker'));
  });
});

describe('the Dockerfile', () => {
  it('sets settings that exist, runs as a user without rights, and has a health check and a volume', async () => {
    const text = await readFile(join(DEPLOY, 'Dockerfile'), 'utf8');
    const [variables = ''] = /(?<=^ENV ).*/m.exec(text) ?? [];
    for (const pair of variables.split(' ')) assert.ok(KNOWN.has(pair.split('=')[0] ?? ''), pair);
    assert.match(text, /^USER 10001:10001$/m);
    assert.match(text, /^HEALTHCHECK .*healthcheck"\]$/m);
    assert.match(text, /^VOLUME \/data$/m);
    assert.ok(existsSync(join(DEPLOY, 'healthcheck')));
  });
});

describe('the chart', () => {
  it('installs the image of this version', async () => {
    const chart = load(await readFile(join(DEPLOY, 'helm/tributary/Chart.yaml'), 'utf8'));
    const { version, appVersion } = chart as { version: string; appVersion: string };
    assert.deepEqual([version, appVersion], [VERSION, VERSION]);
  });
});

describe('the systemd units', () => {
  it('are hardened and set settings that exist', async () => {
    const names = await readdir(UNITS);
    assert.deepEqual(names.sort(), [
      ...['tributary-api@.service', 'tributary-backup.service', 'tributary-backup.timer'],
      ...['tributary-worker@.service', 'tributary.service'],
    ]);
    for (const name of names.filter(isService)) {
      const text = await readFile(join(UNITS, name), 'utf8');
      const lines = text.split('\n');
      for (const line of HARDENING) assert.ok(lines.includes(line), `${name}: ${line}`);
      for (const [, variable = ''] of text.matchAll(/(?:^Environment=|(?<=^Environment=.*) )(\w+)=/gm))
        assert.ok(KNOWN.has(variable), `${name}: ${variable}`);
    }
  });

  it('pass systemd-analyze, with little exposure', async (t) => {
    const program = '/usr/bin/systemd-analyze';
    if (!existsSync(program)) return t.skip('systemd-analyze is not installed');
    const folder = await mkdtemp(join(tmpdir(), 'tributary-units-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const guide = await readFile(join(REPOSITORY, 'docs/processes.md'), 'utf8');
    const [group = ''] = /(?<=```ini\n)\[Service\]\n.*?(?=```)/s.exec(guide) ?? [];
    assert.match(group, /serve --processes auto\nExecReload=/);
    await mkdir(join(folder, 'tributary.service.d'));
    await writeFile(join(folder, 'tributary.service.d/override.conf'), atClone(group));
    for (const name of await readdir(UNITS)) {
      const text = await readFile(join(UNITS, name), 'utf8');
      const unit = join(folder, name);
      await writeFile(unit, atClone(text));
      const { stderr } = await run(program, ['verify', unit]);
      assert.equal(stderr, '', name);
      if (!isService(name)) continue;
      const { stdout } = await run(program, ['security', '--offline=true', '--no-pager', unit]);
      const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
      assert.ok(Number(exposure) <= MOST_EXPOSURE, `${name}: ${exposure}`);
      t.diagnostic(`${name}: exposure ${exposure}`);
    }
  });
});

const isService = (name: string) => name.endsWith('.service');

function atClone(unit: string): string {
  return unit.replace('/opt/tributary/deploy/tributary', join(DEPLOY, 'tributary'));
}
