// Renders the Helm chart. Helm does it if it is installed, else the program in render-chart, which needs Go and two libraries of Debian.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { REPOSITORY } from '../support/service-process.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
/** graphile-worker depends on it, through cosmiconfig. */
const { loadAll }: { loadAll(text: string): unknown[] } = require('js-yaml');

export const CHART = join(REPOSITORY, 'deploy/helm/tributary');
const SPRIG = '/usr/share/gocode/src/github.com/Masterminds/sprig';
const GO = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(tmpdir(), 'tributary-go-cache') };
const HAS_HELM = spawnSync('helm', ['version']).status === 0;
/** Why the chart cannot be rendered on this machine. */
export const cannotRender = HAS_HELM || existsSync(SPRIG) ? false : 'neither Helm nor Go with sprig is installed';
/** `helm template` prints no notes and knows no cluster. */
export const cannotRenderNotes = HAS_HELM ? 'Helm renders notes only on a cluster' : cannotRender;

export const CHART_VALUES = {
  publicUrl: 'https://health.example.com',
  trustedProxies: '10.0.0.0/8',
  webhookNetworks: '10.0.0.0/8,fd00::/8',
  settings: { TRIBUTARY_SANDBOX: 'off' },
  secrets: {
    databaseUrl: 'postgresql://tributary_service:secret@db/tributary',
    migrationDatabaseUrl: 'postgresql://tributary_owner:secret@db/tributary',
    masterKey: 'a-master-key',
    redisUrl: 'redis://valkey:6379',
  },
};

type Variable = {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string; optional: boolean } };
};
type Probe = { httpGet: { path: string }; periodSeconds: number; failureThreshold: number };
type Container = {
  args: string[];
  env: Variable[];
  securityContext: object;
  resources: { limits: Record<string, string> };
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  volumeMounts: { name: string; mountPath: string }[];
  image: string;
};
type Template = {
  metadata: { labels: Record<string, string>; annotations: Record<string, string> };
  spec: Record<string, unknown> & { containers: [Container] };
};
export type KubernetesObject = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  spec: Record<string, unknown> & { template: Template; selector: { matchLabels: Record<string, string> } };
  stringData: Record<string, string>;
};

type RenderOptions = { readonly release?: string; readonly live?: object };

export type ChartRenderer = {
  render(values: object, options?: RenderOptions): Promise<KubernetesObject[]>;
  renderNotes(values: object): Promise<string>;
  close(): Promise<void>;
};

export async function openChartRenderer(): Promise<ChartRenderer> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-chart-'));
  const program = join(folder, 'render');
  const values = join(folder, 'values.json');
  if (!HAS_HELM && !cannotRender) {
    const build = ['build', '-o', program, './server/test/deploy/render-chart'];
    await run('go', build, { cwd: REPOSITORY, env: { ...process.env, ...GO }, timeout: 5 * MINUTE_MS });
  }
  return {
    async render(given, { release = 'demo', live } = {}) {
      await refuseInvalid(given);
      await writeFile(values, JSON.stringify(given));
      const object = join(folder, 'live.json');
      if (live !== undefined) await writeFile(object, JSON.stringify(live));
      const found = live === undefined ? [] : ['-live', object];
      const { stdout } = HAS_HELM
        ? await run('helm', ['template', release, CHART, '--values', values])
        : await run(program, ['-release', release, ...found, CHART, values]);
      return loadAll(stdout).filter((one) => one !== null && one !== undefined) as KubernetesObject[];
    },
    async renderNotes(given) {
      await writeFile(values, JSON.stringify(given));
      return (await run(program, ['-notes', CHART, values])).stdout;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

type Validate = ((values: object) => boolean) & { errors?: { instancePath: string; message: string }[] | null };

/** As Helm does with the schema before it renders. */
async function refuseInvalid(values: object): Promise<void> {
  const Ajv: new (options: object) => { compile(schema: object): Validate } = require('ajv');
  const schema = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8'));
  const validate = new Ajv({ allowUnionTypes: true }).compile(schema);
  assert.ok(validate(values), JSON.stringify(validate.errors));
}
