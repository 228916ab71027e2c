// The Helm chart: its values exist, and it renders to objects that fit together. Helm renders it if it is installed, else the program
// in render-chart, which needs Go and two libraries of Debian.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { listProviderVariables } from '../../src/config.ts';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { SETTINGS } from '../../src/settings.ts';
import { REPOSITORY } from '../support/service-process.ts';

const run = promisify(execFile);
const { load, loadAll }: { load(text: string): unknown; loadAll(text: string): unknown[] } = createRequire(
  import.meta.url,
)('js-yaml');

const CHART = join(REPOSITORY, 'deploy/helm/tributary');
const SPRIG = '/usr/share/gocode/src/github.com/Masterminds/sprig';
const GO = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(tmpdir(), 'tributary-go-cache') };
const KNOWN = new Set<string>([...Object.values(SETTINGS).map(({ variable }) => variable), ...listProviderVariables()]);
const VALUES = {
  publicUrl: 'https://health.example.com',
  trustedProxies: '10.0.0.0/8',
  settings: { TRIBUTARY_SANDBOX: 'off' },
  secrets: {
    databaseUrl: 'postgresql://tributary_service:secret@db/tributary',
    migrationDatabaseUrl: 'postgresql://tributary_owner:secret@db/tributary',
    masterKey: 'a-master-key',
    redisUrl: 'redis://valkey:6379',
  },
};

type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; optional: boolean } } };
type Container = { args: string[]; env: Variable[]; securityContext: object } & Record<string, unknown>;
type Template = {
  metadata: { labels: Record<string, string> };
  spec: Record<string, unknown> & { containers: Container[] };
};
type KubernetesObject = {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: Record<string, unknown> & { template: Template; selector: { matchLabels: Record<string, string> } };
  stringData: Record<string, string>;
};

describe('the values of the chart', () => {
  it('contain every value that a template reads', async () => {
    const values = load(await readFile(join(CHART, 'values.yaml'), 'utf8')) as Record<string, unknown>;
    const read = new Set<string>();
    for await (const file of glob(join(CHART, 'templates/*')))
      for (const [, path = ''] of (await readFile(file, 'utf8')).matchAll(/\.Values\.([\w.]+)/g)) read.add(path);
    assert.ok(read.size > 10);
    for (const path of read)
      assert.notEqual(
        path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values),
        undefined,
        path,
      );
  });
});

describe('the rendered chart', async () => {
  const helm = await run('helm', ['version']).then(
    () => true,
    () => false,
  );
  const skip = helm || existsSync(SPRIG) ? false : 'neither Helm nor Go with sprig is installed';
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tributary-chart-'));
    const build = ['build', '-o', join(folder, 'render'), './server/test/deploy/render-chart'];
    if (!helm && !skip)
      await run('go', build, { cwd: REPOSITORY, env: { ...process.env, ...GO }, timeout: 5 * MINUTE_MS });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function render(values: object): Promise<KubernetesObject[]> {
    const file = join(folder, 'values.json');
    await writeFile(file, JSON.stringify(values));
    const { stdout } = helm
      ? await run('helm', ['template', 'demo', CHART, '--values', file])
      : await run(join(folder, 'render'), [CHART, file]);
    return loadAll(stdout).filter((one) => one !== null && one !== undefined) as KubernetesObject[];
  }

  it('passes on the credentials of every provider, if the secret has them', { skip }, async () => {
    const deployments = (await render(VALUES)).filter(({ kind }) => kind === 'Deployment');
    assert.equal(deployments.length, 2);
    for (const { spec } of deployments) {
      const passedOn = spec.template.spec.containers[0]?.env ?? [];
      const optional = passedOn.filter(({ valueFrom }) => valueFrom?.secretKeyRef.optional).map(({ name }) => name);
      assert.deepEqual(
        listProviderVariables().filter((variable) => !optional.includes(variable)),
        [],
      );
    }
  });

  it('has API and worker processes, a migration before them, a secret, a service, an ingress and budgets', {
    skip,
  }, async () => {
    const objects = await render(VALUES);
    assert.deepEqual(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort(), [
      'Deployment demo-tributary-api',
      'Deployment demo-tributary-worker',
      'Ingress demo-tributary',
      'Job demo-tributary-migrate',
      'PodDisruptionBudget demo-tributary-api',
      'PodDisruptionBudget demo-tributary-worker',
      'Secret demo-tributary',
      'Service demo-tributary',
    ]);
    const job = objects.find(({ kind }) => kind === 'Job');
    assert.equal(job?.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade');
    const secret = objects.find(({ kind }) => kind === 'Secret');
    // A rollback restores no other object of a hook.
    assert.equal(secret?.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade,pre-rollback');
    assert.equal(secret?.stringData.DATABASE_URL, VALUES.secrets.databaseUrl);
    assert.match(JSON.stringify(objects.find(({ kind }) => kind === 'Ingress')), /"host":"health\.example\.com"/);
  });

  it('runs every process with settings that exist, without rights, and on a root that cannot be written', {
    skip,
  }, async () => {
    const pods = (await render(VALUES)).filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
    assert.deepEqual(pods.map(({ spec }) => spec.template.spec.containers[0]?.args.join(' ')).sort(), [
      'migrate',
      'serve --only api',
      'serve --only worker',
    ]);
    for (const { kind, spec } of pods) {
      const [container] = spec.template.spec.containers;
      assert.ok(container);
      const names = container.env.map(({ name }) => name);
      assert.deepEqual(
        names.filter((name) => !KNOWN.has(name)),
        [],
      );
      assert.equal(new Set(names).size, names.length, 'no variable twice');
      assert.equal(names.includes('TRIBUTARY_MIGRATION_DATABASE_URL'), kind === 'Job');
      assert.equal(spec.template.spec.enableServiceLinks, false);
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      if (kind === 'Job') continue;
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) assert.ok(container[probe], probe);
      for (const [label, value] of Object.entries(spec.selector.matchLabels))
        assert.equal(spec.template.metadata.labels[label], value);
    }
  });

  it('passes settings on as they were written, and refuses those that YAML changed or the chart sets itself', {
    skip,
  }, async () => {
    const settings = {
      TRIBUTARY_LOG_LEVEL: 'debug',
      TRIBUTARY_RAW_RETENTION_DAYS: 10_000_000,
      OTEL_TRACES_SAMPLER_ARG: 0.5,
    };
    const deployment = (await render({ ...VALUES, settings })).find(({ kind }) => kind === 'Deployment');
    const written = deployment?.spec.template.spec.containers[0]?.env.filter(({ name }) => name in settings);
    assert.deepEqual(Object.fromEntries(written?.map(({ name, value }) => [name, value]) ?? []), {
      TRIBUTARY_LOG_LEVEL: 'debug',
      TRIBUTARY_RAW_RETENTION_DAYS: '10000000',
      OTEL_TRACES_SAMPLER_ARG: '0.5',
    });
    const refuse = (variable: string, value: unknown, reason: RegExp) =>
      assert.rejects(render({ ...VALUES, settings: { [variable]: value } }), reason);
    await refuse('TRIBUTARY_SANDBOX', false, /Quote settings\.TRIBUTARY_SANDBOX/);
    for (const variable of [
      'TRIBUTARY_PUBLIC_URL',
      'DATABASE_URL',
      'TRIBUTARY_DRAIN_SECONDS',
      'TRIBUTARY_OURA_CLIENT_ID',
      'PORT',
    ])
      await refuse(variable, 'x', new RegExp(`settings\\.${variable}`));
  });

  it('leaves pods in the Service while a database that all of them need stalls for 5 s', { skip }, async () => {
    const deployments = (await render(VALUES)).filter(({ kind }) => kind === 'Deployment');
    const probes = deployments.map(({ spec }) => spec.template.spec.containers[0]?.readinessProbe);
    assert.equal(probes.length, 2);
    for (const probe of probes as Record<string, number>[])
      assert.ok(((probe.failureThreshold ?? 0) - 1) * (probe.periodSeconds ?? 0) > 5);
  });

  it('uses a secret of yours, and refuses to render without a public URL or a secret', { skip }, async () => {
    const objects = await render({ publicUrl: VALUES.publicUrl, secrets: { existingName: 'mine' } });
    assert.ok(!objects.some(({ kind }) => kind === 'Secret'));
    assert.match(JSON.stringify(objects), /"secretKeyRef":\{"name":"mine","key":"DATABASE_URL"/);
    await assert.rejects(render({ secrets: VALUES.secrets }), /Set publicUrl/);
    await assert.rejects(render({ publicUrl: VALUES.publicUrl }), /Set secrets\.databaseUrl/);
  });
});
