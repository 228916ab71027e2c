// The Helm chart: its values exist, and it renders to objects that fit together.
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { listProviderVariables } from '../../src/config.ts';
import { SETTINGS } from '../../src/settings.ts';
import {
  CHART,
  type ChartRenderer,
  type KubernetesObject,
  openChartRenderer,
  cannotRender as skip,
  CHART_VALUES as VALUES,
} from './chart-renderer.ts';

const { load }: { load(text: string): unknown } = createRequire(import.meta.url)('js-yaml');
const KNOWN = new Set<string>([...Object.values(SETTINGS).map(({ variable }) => variable), ...listProviderVariables()]);

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

describe('the schema of the values', () => {
  it('has every value and no other', async () => {
    const schema = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8'));
    const values = load(await readFile(join(CHART, 'values.yaml'), 'utf8')) as object;
    // Helm itself passes "global" to every chart.
    assert.deepEqual(
      listSchemaPaths(schema)
        .filter((path) => path !== 'global')
        .sort(),
      listPaths(values).sort(),
    );
  });

  it('rejects a value that does not exist, and a tag that YAML reads as a number', { skip }, async (t) => {
    const chart = await openChartRenderer();
    t.after(() => chart.close());
    await assert.rejects(chart.render({ ...VALUES, tombstone: { existingClaim: 'a' } }));
    await assert.rejects(chart.render({ ...VALUES, image: { tag: 1.1 } }), /string/);
  });
});

describe('the rendered chart', () => {
  let chart: ChartRenderer;
  before(async () => {
    chart = await openChartRenderer();
  });
  after(() => chart.close());
  const render = (values: object): Promise<KubernetesObject[]> => chart.render(values);

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
      assert.equal(spec.template.spec.automountServiceAccountToken, false);
      assert.deepEqual(spec.template.spec.securityContext, {
        ...{ runAsNonRoot: true, runAsUser: 10001, runAsGroup: 10001, fsGroup: 10001 },
        seccompProfile: { type: 'RuntimeDefault' },
      });
      assert.deepEqual(Object.keys(container.resources.limits).sort(), ['ephemeral-storage', 'memory']);
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      if (kind === 'Job') continue;
      // A process answers /healthz before it migrates, so a long migration does not fail these two.
      for (const probe of [container.startupProbe, container.livenessProbe])
        assert.equal(probe.httpGet.path, '/healthz');
      assert.equal(container.readinessProbe.httpGet.path, '/readyz');
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
      'OTEL_EXPORTER_OTLP_HEADERS',
      'PORT',
    ])
      await refuse(variable, 'x', new RegExp(`settings\\.${variable}`));
  });

  it('leaves pods in the Service while a database that all of them need stalls for 5 s', { skip }, async () => {
    const deployments = (await render(VALUES)).filter(({ kind }) => kind === 'Deployment');
    const probes = deployments.map(({ spec }) => spec.template.spec.containers[0]?.readinessProbe);
    assert.equal(probes.length, 2);
    for (const probe of probes) assert.ok(probe && (probe.failureThreshold - 1) * probe.periodSeconds > 5);
  });

  it('uses a secret of yours, and refuses to render without a public URL or a secret', { skip }, async () => {
    const objects = await render({ publicUrl: VALUES.publicUrl, secrets: { existingName: 'mine' } });
    assert.ok(!objects.some(({ kind }) => kind === 'Secret'));
    assert.match(JSON.stringify(objects), /"secretKeyRef":\{"name":"mine","key":"DATABASE_URL"/);
    await assert.rejects(render({ secrets: VALUES.secrets }), /Set publicUrl/);
    await assert.rejects(render({ publicUrl: VALUES.publicUrl }), /Set secrets\.databaseUrl/);
  });

  it('puts further secret settings into its Secret, and refuses those that no pod reads', { skip }, async () => {
    const withOthers = (others: object) => render({ ...VALUES, secrets: { ...VALUES.secrets, others } });
    const objects = await withOthers({ TRIBUTARY_OURA_CLIENT_SECRET: 'hidden', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' });
    const secret = objects.find(({ kind }) => kind === 'Secret');
    assert.equal(secret?.stringData.TRIBUTARY_OURA_CLIENT_SECRET, 'hidden');
    assert.equal(secret?.stringData.OTEL_EXPORTER_OTLP_HEADERS, 'a=b');
    const pods = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
    assert.doesNotMatch(JSON.stringify(pods), /hidden|a=b|secret@db/);
    for (const variable of ['TRIBUTARY_OURA_CLIENT', 'DATABASE_URL', 'TRIBUTARY_MIGRATION_DATABASE_URL'])
      await assert.rejects(withOthers({ [variable]: 'x' }), new RegExp(`Remove secrets\\.others\\.${variable}:`));
  });
});

function listPaths(values: object, at = ''): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    const below = isGroup && !FREE.has(name) ? listPaths(value, `${at}${name}.`) : [];
    return below.length > 0 ? below : [`${at}${name}`];
  });
}

/** Their keys are chosen by Kubernetes. */
const FREE = new Set(['resources']);

type Schema = { readonly properties?: Record<string, Schema> };

function listSchemaPaths({ properties = {} }: Schema, at = ''): string[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema.properties ? listSchemaPaths(schema, `${at}${name}.`) : [`${at}${name}`],
  );
}
