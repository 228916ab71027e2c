// The parts of the Helm chart that an operator can choose: names, ingress, network policies, autoscaling, monitoring, volumes.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { stopLimitMs } from '../../src/cli/stop-request.ts';
import { loadConfig } from '../../src/config.ts';
import { planConnections } from '../../src/connection-plan.ts';
import { SECOND_MS } from '../../src/domain/time/durations.ts';
import { listRanges } from '../../src/platform/address-ranges.ts';
import { readAddressKind } from '../../src/platform/outbound/address-kind.ts';
import { dashboardRoutes, publicRawRoutes, publicRoutes } from '../../src/routes.ts';
import { REPOSITORY } from '../support/service-process.ts';
import {
  CHART,
  CHART_VALUES,
  type ChartRenderer,
  cannotRender,
  cannotRenderNotes,
  openChartRenderer,
} from './chart-renderer.ts';

const { load }: { load(text: string): unknown } = createRequire(import.meta.url)('js-yaml');

const METADATA_ADDRESSES = [
  ...['169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fe80::a9fe:a9fe'],
  ...['fd00:ec2::254', 'fd00:ec2::23', 'fd00:c1::a9fe:a9fe', 'fd20:ce::254'],
];

describe('the chart', { skip: cannotRender }, () => {
  let chart: ChartRenderer;
  before(async () => {
    chart = await openChartRenderer();
  });
  after(() => chart.close());

  async function render(values: object = {}, options: Parameters<ChartRenderer['render']>[1] = {}) {
    const objects = await chart.render({ ...CHART_VALUES, ...values }, options);
    const ofKind = (kind: string) => objects.filter((one) => one.kind === kind);
    const deploymentOf = (role: string) =>
      ofKind('Deployment').find(({ metadata }) => metadata.name.endsWith(`-${role}`)) ?? assert.fail(role);
    return { objects, ofKind, deploymentOf };
  }

  describe('names', () => {
    const NAMES = {
      demo: 'demo-tributary',
      'my-tributary-2': 'my-tributary-2',
      '2024': 'tributary-2024',
      '1e3': 'tributary-1e3',
      'on.call': 'on-call-tributary',
      true: 'true-tributary',
      [`tributary-${'a'.repeat(38)}--b`]: `tributary-${'a'.repeat(38)}`,
      ['b'.repeat(53)]: 'b'.repeat(50),
    };
    for (const [release, name] of Object.entries(NAMES))
      it(`of the release ${release} are valid, and its labels are texts`, async () => {
        const { objects, ofKind } = await render(ALL_ON, { release });
        assert.ok(objects.length > 10);
        assert.equal(ofKind('Service')[0]?.metadata.name, name);
        for (const { kind, metadata, spec } of objects) {
          assert.match(metadata.name, /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/, kind);
          assert.ok(metadata.name.startsWith(name), metadata.name);
          const labels = [metadata.labels, spec?.template?.metadata.labels, spec?.selector?.matchLabels];
          for (const value of labels.flatMap((some) => Object.values(some ?? {}))) assert.equal(typeof value, 'string');
          assert.equal(metadata.labels['app.kubernetes.io/instance'], release);
        }
      });
  });

  describe('the ingress', () => {
    it('passes on every path of clients, but neither metrics nor readiness', async () => {
      const { ofKind } = await render();
      const ingress = ofKind('Ingress')[0] ?? assert.fail('no ingress');
      const [{ http }] = (ingress.spec as unknown as IngressSpec).rules;
      const served = [...publicRoutes, ...dashboardRoutes, ...publicRawRoutes].map(({ path }) => path);
      assert.ok(served.length > 100);
      const isPassedOn = (path: string) => http.paths.some((rule) => covers(rule, path));
      assert.deepEqual(
        served.filter((path) => !isPassedOn(path)),
        ['/readyz', '/metrics'],
      );
      assert.equal(isPassedOn('/unknown'), false);
    });
  });

  describe('network policies', () => {
    it('are absent by default', async () => {
      assert.deepEqual((await render()).ofKind('NetworkPolicy'), []);
    });

    it('let the ingress controller call the API, and monitoring all processes', async () => {
      const policies = await readPolicies({ enabled: true });
      const namespaces = (role: string) =>
        policies[role]?.ingress?.flatMap(({ from, ports }) => {
          assert.deepEqual(ports, [{ port: 8080 }]);
          return from.map((peer) => peer.namespaceSelector?.matchLabels['kubernetes.io/metadata.name']);
        });
      assert.deepEqual(namespaces('api'), ['ingress-nginx', 'monitoring']);
      assert.deepEqual(namespaces('worker'), ['monitoring']);
      assert.equal(namespaces('migrate'), undefined);
      for (const { policyTypes } of Object.values(policies)) assert.deepEqual(policyTypes, ['Ingress', 'Egress']);
    });

    it('let nobody in if no peer is named', async () => {
      const policies = await readPolicies({ enabled: true, apiFrom: [], metricsFrom: [] });
      assert.deepEqual(Object.keys(policies).sort(), ['api', 'migrate', 'worker']);
      for (const { ingress } of Object.values(policies)) assert.equal(ingress, undefined);
    });

    it('allow connections to name servers and the ports of values, but not to metadata addresses', async () => {
      const extra = { to: [{ ipBlock: { cidr: '192.0.2.1/32' } }] };
      const policies = await readPolicies({ enabled: true, egressPorts: [443, 5433], extraEgress: [extra] });
      assert.equal(Object.keys(policies).length, 3);
      for (const { egress } of Object.values(policies)) {
        const [names, others, last] = egress;
        assert.deepEqual(names, {
          ports: [
            { port: 53, protocol: 'UDP' },
            { port: 53, protocol: 'TCP' },
          ],
        });
        assert.deepEqual(others?.ports, [{ port: 443 }, { port: 5433 }]);
        const [four, six] = others?.to?.flatMap(({ ipBlock }) => ipBlock ?? []) ?? [];
        assert.deepEqual([four?.cidr, six?.cidr], ['0.0.0.0/0', '::/0']);
        const ranges = listRanges([...(four?.except ?? []), ...(six?.except ?? [])]);
        for (const address of METADATA_ADDRESSES) {
          assert.ok(['metadata', 'link-local'].includes(readAddressKind(address)), address);
          assert.ok(ranges.check(address, address.includes(':') ? 'ipv6' : 'ipv4'), address);
        }
        assert.deepEqual(last, extra);
      }
    });

    it('of the migration exists as long as its Job', async () => {
      const { ofKind } = await render({ networkPolicy: { enabled: true } });
      const policy = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name.endsWith('-migrate'));
      const job = ofKind('Job')[0]?.metadata.annotations ?? {};
      const hook = policy?.metadata.annotations ?? {};
      for (const key of ['helm.sh/hook', 'helm.sh/hook-delete-policy']) assert.equal(hook[key], job[key]);
      assert.ok(Number(hook['helm.sh/hook-weight']) < Number(job['helm.sh/hook-weight']));
    });

    async function readPolicies(networkPolicy: object): Promise<Record<string, PolicySpec>> {
      const { ofKind } = await render({ networkPolicy });
      return Object.fromEntries(
        ofKind('NetworkPolicy').map(({ spec }) => {
          const policy = spec as unknown as PolicySpec;
          return [policy.podSelector.matchLabels['app.kubernetes.io/component'], policy];
        }),
      );
    }
  });

  describe('the autoscaler', () => {
    const autoscaling = { enabled: true, minReplicas: 2, maxReplicas: 8 };

    it('is absent by default, and the Deployments have their replicas', async () => {
      const { ofKind, deploymentOf } = await render({ api: { replicas: 4 } });
      assert.deepEqual(ofKind('HorizontalPodAutoscaler'), []);
      assert.deepEqual([deploymentOf('api').spec.replicas, deploymentOf('worker').spec.replicas], [4, 2]);
    });

    it('scales the API, whose Deployment then has no number of its own', async () => {
      const { ofKind, deploymentOf } = await render({ api: { replicas: 1, autoscaling } });
      const [scaler] = ofKind('HorizontalPodAutoscaler');
      assert.deepEqual(scaler?.spec.scaleTargetRef, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        name: deploymentOf('api').metadata.name,
      });
      assert.deepEqual([scaler?.spec.minReplicas, scaler?.spec.maxReplicas], [2, 8]);
      assert.equal('replicas' in deploymentOf('api').spec, false);
      assert.equal(deploymentOf('worker').spec.replicas, 2);
      const budgets = ofKind('PodDisruptionBudget').map(({ metadata }) => metadata.name);
      assert.deepEqual(budgets, ['demo-tributary-api', 'demo-tributary-worker']);
    });

    it('is not overruled by an upgrade, and the upgrade that enables it stops no pod', {
      skip: cannotRenderNotes,
    }, async () => {
      const { deploymentOf } = await render({ api: { autoscaling } }, { live: { spec: { replicas: 5 } } });
      assert.equal(deploymentOf('api').spec.replicas, 5);
    });

    it('needs the CPU request of which it takes a share', async () => {
      const resources = { requests: { cpu: null } };
      await assert.rejects(render({ api: { autoscaling, resources } }), /Set api\.resources\.requests\.cpu/);
    });
  });

  it('says how many database connections its processes open at most, with those that an upgrade replaces', {
    skip: cannotRenderNotes,
  }, async () => {
    const settings = {
      TRIBUTARY_READ_CONNECTIONS: 4,
      TRIBUTARY_WRITE_CONNECTIONS: '6',
      TRIBUTARY_WORKER_CONNECTIONS: 8,
    };
    const sum = (environment: Record<string, string>, api: number, workers: number) => {
      const config = loadConfig(environment);
      return (api + 2) * planConnections(config, 'api').total + (workers + 2) * planConnections(config, 'worker').total;
    };
    const read = async (values: object) =>
      Number(/open up to (\d+) connections/.exec(await chart.renderNotes({ ...CHART_VALUES, ...values }))?.[1]);
    assert.equal(await read({ settings: {} }), sum({}, 3, 2));
    const comments = await readFile(join(CHART, 'values.yaml'), 'utf8');
    assert.ok(comments.includes(`must allow ${sum({}, 3, 2)} connections`));
    const texts = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
    const scaled = { autoscaling: { enabled: true, maxReplicas: 9 } };
    assert.equal(await read({ settings, api: scaled, worker: { replicas: 1 } }), sum(texts, 9, 1));
  });

  describe('monitoring', () => {
    it('is annotations by default, and a PodMonitor of all processes if it is enabled', async () => {
      const plain = await render();
      assert.deepEqual([plain.ofKind('PodMonitor'), plain.ofKind('PrometheusRule')], [[], []]);
      const annotationsOf = ({ deploymentOf }: typeof plain, role: string) =>
        deploymentOf(role).spec.template.metadata.annotations['prometheus.io/scrape'];
      const watched = await render({ metrics: { podMonitor: { enabled: true, labels: { release: 'mine' } } } });
      const [monitor] = watched.ofKind('PodMonitor');
      assert.equal(monitor?.metadata.labels.release, 'mine');
      assert.deepEqual(monitor?.spec.podMetricsEndpoints, [{ port: 'http', path: '/metrics', interval: '30s' }]);
      for (const role of ['api', 'worker']) {
        assert.deepEqual([annotationsOf(plain, role), annotationsOf(watched, role)], ['true', undefined]);
        const { labels } = watched.deploymentOf(role).spec.template.metadata;
        for (const [name, value] of Object.entries(monitor?.spec.selector.matchLabels ?? {}))
          assert.equal(labels[name], value);
        // The alert rules name this job.
        assert.equal(labels[String(monitor?.spec.jobLabel)], 'tributary');
      }
    });

    it('has the alert rules as they are', async () => {
      const { ofKind } = await render({ metrics: { prometheusRule: { enabled: true } } });
      const rules = load(await readFile(join(REPOSITORY, 'deploy/prometheus/alerts.yml'), 'utf8'));
      assert.deepEqual(ofKind('PrometheusRule')[0]?.spec, rules);
    });
  });

  it('adds volumes, labels, annotations, an account and a priority to every pod', async () => {
    const { ofKind } = await render({
      extraVolumes: [{ name: 'ca', configMap: { name: 'database-ca' } }],
      extraVolumeMounts: [{ name: 'ca', mountPath: '/certificates', readOnly: true }],
      ...{ podLabels: { team: 'health' }, podAnnotations: { note: 'x' } },
      ...{ serviceAccountName: 'puller', priorityClassName: 'high' },
    });
    const pods = [...ofKind('Deployment'), ...ofKind('Job')];
    assert.equal(pods.length, 3);
    for (const { spec } of pods) {
      const { metadata, spec: pod } = spec.template;
      assert.deepEqual((pod.volumes as { name: string }[]).at(-1)?.name, 'ca');
      assert.equal(pod.containers[0].volumeMounts.at(-1)?.mountPath, '/certificates');
      assert.deepEqual([metadata.labels.team, metadata.annotations.note], ['health', 'x']);
      assert.deepEqual([pod.serviceAccountName, pod.priorityClassName], ['puller', 'high']);
    }
  });

  it('spreads each role over nodes and zones, and the migration runs where workers may', async () => {
    const worker = {
      nodeSelector: { pool: 'b' },
      tolerations: [{ operator: 'Exists' }],
      affinity: { podAffinity: {} },
    };
    const own = [{ topologyKey: 'rack', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }];
    const { ofKind, deploymentOf } = await render({ worker, api: { topologySpreadConstraints: own } });
    const constraints = deploymentOf('worker').spec.template.spec.topologySpreadConstraints as Constraint[];
    assert.deepEqual(
      constraints.map(({ topologyKey, whenUnsatisfiable }) => [topologyKey, whenUnsatisfiable]),
      [
        ['kubernetes.io/hostname', 'ScheduleAnyway'],
        ['topology.kubernetes.io/zone', 'ScheduleAnyway'],
      ],
    );
    for (const { labelSelector } of constraints) assert.deepEqual(labelSelector, deploymentOf('worker').spec.selector);
    assert.deepEqual(deploymentOf('api').spec.template.spec.topologySpreadConstraints, own);
    const job = ofKind('Job')[0] ?? assert.fail('no Job');
    const { nodeSelector, tolerations, affinity } = job.spec.template.spec;
    assert.deepEqual({ nodeSelector, tolerations, affinity }, worker);
  });

  it('gives pods longer to stop than they need, and replaces one when the former has ended', async () => {
    const { deploymentOf } = await render({ api: { drainSeconds: 20 } });
    const { template, minReadySeconds } = deploymentOf('api').spec;
    assert.ok(Number(template.spec.terminationGracePeriodSeconds) * SECOND_MS > stopLimitMs({ drainSeconds: 20 }));
    assert.ok(Number(minReadySeconds) > 20);
    const worker = deploymentOf('worker').spec.template.spec;
    assert.ok(Number(worker.terminationGracePeriodSeconds) * SECOND_MS > stopLimitMs({ drainSeconds: 0 }));
  });

  it('uses a digest instead of the tag, and another command in the Job', async () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const args = ['tombstones', 'apply', '/tombstones/tombstones.jsonl'];
    const { ofKind } = await render({ image: { repository: 'r.example/t', tag: 'x', digest }, migrate: { args } });
    const images = [...ofKind('Deployment'), ...ofKind('Job')].map(({ spec }) => spec.template.spec.containers[0]);
    assert.deepEqual(new Set(images.map(({ image }) => image)), new Set([`r.example/t@${digest}`]));
    assert.deepEqual(ofKind('Job')[0]?.spec.template.spec.containers[0].args, args);
  });
});

const ALL_ON = {
  api: { autoscaling: { enabled: true } },
  networkPolicy: { enabled: true },
  metrics: { podMonitor: { enabled: true }, prometheusRule: { enabled: true } },
};

type Constraint = { topologyKey: string; whenUnsatisfiable: string; labelSelector: object };
type IngressPath = { path: string; pathType: 'Exact' | 'Prefix' };
type IngressSpec = { rules: [{ http: { paths: IngressPath[] } }] };
type Peer = {
  namespaceSelector?: { matchLabels: Record<string, string> };
  ipBlock?: { cidr: string; except?: string[] };
};
type Port = { port: number; protocol?: string };
type PolicySpec = {
  podSelector: { matchLabels: Record<string, string> };
  policyTypes: string[];
  ingress?: { from: Peer[]; ports: Port[] }[];
  egress: { to?: Peer[]; ports?: Port[] }[];
};

/** As an Ingress matches: by whole elements of the path. */
function covers({ path, pathType }: IngressPath, requested: string): boolean {
  return requested === path || (pathType === 'Prefix' && requested.startsWith(`${path}/`));
}
