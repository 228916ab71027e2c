// What the conformance suite is told of a connector: answers as its provider gives them, and what is to come of them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { EpochMs } from '../../src/domain/records/records.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import type {
  CloudProvider,
  FetchWindow,
  MapContext,
  Resource,
  WebhookItem,
  WebhookRequest,
  WebhookSecrets,
} from '../../src/providers/contract.ts';
import { parseJson } from '../../src/providers/parse-json.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';

export type FixturePage = {
  /** Of `resources`, or of what is pushed. */
  readonly resource: string;
  readonly body: unknown;
  readonly calledBy?: unknown;
  readonly zone?: string;
};

export type ExpectedSession = {
  readonly kind: 'sleep' | 'workout';
  readonly key: string;
  /** As the clock on the wall told it, with its offset. */
  readonly start: string;
  readonly end: string;
};

export type SignedWebhook = {
  readonly request: WebhookRequest;
  readonly secrets: WebhookSecrets;
  readonly at: Date;
  readonly webhooks: readonly WebhookItem[];
};

export type ProviderFixtures = {
  /** All that the provider can tell, together. */
  readonly pages: readonly FixturePage[];
  /** A page with measured zeros, and the metrics that must come out as 0 of it. */
  readonly zero: { readonly page: FixturePage; readonly metrics: readonly string[] };
  /** Among them a night over midnight, a nap, and two different offsets, as far as the provider has them. */
  readonly sessions: readonly ExpectedSession[];
  readonly naps: readonly string[];
  /** Ids beyond 2^53, as they must be kept. */
  readonly bigIds: readonly { readonly kind: 'sleep' | 'workout'; readonly page: FixturePage; readonly key: string }[];
  readonly deleted: { readonly sleep: readonly string[]; readonly workouts: readonly string[] };
  readonly webhook: WebhookFixtures | null;
};

export type WebhookFixtures = {
  readonly signed: readonly SignedWebhook[];
  /** False: the provider signs no time, so that what comes again is taken again, and must change nothing. */
  readonly signsTime: boolean;
  /** A notice of a person whose id is beyond 2^53. */
  readonly bigUser: { readonly body: string; readonly providerUserId: string };
};

export function readFixture(provider: string, name: string): unknown {
  const file = path.resolve(import.meta.dirname, `../../src/providers/${provider}/fixtures/${name}.json`);
  return parseJson(readFileSync(file, 'utf8'));
}

export const FIXTURE_WINDOW: FetchWindow = {
  from: Date.parse('2026-03-01T00:00:00Z') as EpochMs,
  to: Date.parse('2026-03-02T00:00:00Z') as EpochMs,
  fromDate: '2026-03-01' as LocalDate,
  toDate: '2026-03-02' as LocalDate,
};

export function mapPage(provider: CloudProvider, page: FixturePage): ProviderRecords {
  const context: MapContext = {
    zone: page.zone ?? 'Europe/Paris',
    window: FIXTURE_WINDOW,
    ...(page.calledBy === undefined ? {} : { calledBy: page.calledBy }),
  };
  return findMapper(provider, page.resource).map(page.body, context);
}

/** Some providers push what cannot be asked for. */
type Mapper = Pick<Resource, 'name' | 'map'>;
type Pushing = CloudProvider & { readonly pushed?: readonly Mapper[] };

function findMapper(provider: Pushing, name: string): Mapper {
  const mappers: readonly Mapper[] = [...provider.resources, ...(provider.pushed ?? [])];
  const found = mappers.find((mapper) => mapper.name === name);
  if (found === undefined) throw new Error(`${provider.id} has no resource ${name}`);
  return found;
}
