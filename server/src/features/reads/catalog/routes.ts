// The catalogs of metrics and cloud providers. Both forms return the same shape.
import { METRICS, type Metric } from '../../../domain/metrics/index.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import { listDelivered, listDeliveredCategories, withParts } from '../../../providers/delivered-metrics.ts';
import { CLOUD_PROVIDERS } from '../../../providers/registry.ts';
import { listApps } from '../../clouds/provider-apps/index.ts';
import { presentLimits } from '../../store/devices/index.ts';
import { metricsReply, providersReply } from './schemas.ts';

const tag = 'Catalogs';
const access = { to: 'api_key', billing: 'checked' } as const;

export const catalogRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/catalog/metrics',
    operationId: 'listMetrics',
    tag,
    summary: 'List every metric with its units',
    description:
      'Metric IDs are stable. Samples of every metric whose `timeseries` is not `no` can be read with GET /v1/users/{user_id}/timeseries. `accepted_units` lists the units that uploads may use.',
    access,
    healthDataOf: 'nobody',
    replies: { 200: metricsReply },
    present: (metrics: readonly Metric[]) => ({ status: 200, body: { data: metrics.map(presentMetric) } }),
    handle: () => METRICS,
  }),
  route({
    method: 'GET',
    path: '/v1/providers',
    operationId: 'listProviders',
    tag,
    summary: 'List the cloud providers that users can connect',
    description:
      'Use `provider` in POST /v1/users/{user_id}/devices. A provider with `configured: false` has no application credentials yet, so users cannot connect it. On-device sources such as Apple Health connect through the Mobile SDK and are not listed.',
    access,
    healthDataOf: 'nobody',
    replies: { 200: providersReply },
    present: (list: ProviderList) => ({
      status: 200,
      body: { data: CLOUD_PROVIDERS.map((provider) => presentProvider(provider, list)) },
    }),
    handle: async ({ services, caller }) => ({
      configured: new Set((await listApps(services, caller.tenant)).map(({ provider }) => provider.id)),
      baseUrl: services.settings.publicUrl(),
      settings: services.settings,
    }),
  }),
];

type ProviderList = {
  readonly configured: ReadonlySet<string>;
  readonly baseUrl: string;
  readonly settings: Parameters<typeof presentLimits>[1];
};

function presentMetric(metric: Metric) {
  return {
    id: metric.id,
    display_name: metric.displayName,
    category: metric.category,
    unit: metric.unit,
    imperial_unit: metric.imperialUnit,
    kind: metric.kind,
    description: metric.description,
    daily: metric.category === 'scores' ? 'score' : 'yes',
    timeseries: metric.samples,
    accepted_units: metric.acceptedUnits,
  };
}

function presentProvider(listed: CloudProvider, { configured, baseUrl, settings }: ProviderList) {
  const provider = withParts(listed, settings.unconfirmedParts.get(listed.id));
  return {
    provider: provider.id,
    display_name: provider.displayName,
    auth: 'oauth2' as const,
    device_class: provider.deviceClass,
    categories: listDeliveredCategories(provider),
    metrics: listDelivered(provider).map(({ id }) => id),
    push: provider.webhook !== null,
    history_days: provider.historyDays,
    configured: configured.has(provider.id),
    ...presentLimits(provider, settings),
    logo_url: `${baseUrl}/providers/${provider.id}.svg`,
  };
}
