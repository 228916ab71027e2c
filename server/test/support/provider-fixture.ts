// A connector's input to the conformance suite: responses of its provider and the expected results.
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
  /** Of `resources`, or of pushed data. */
  readonly resource: string;
  readonly body: unknown;
  readonly calledBy?: unknown;
  readonly zone?: string;
  /** Each response is one record, and its lists are parts of it. */
  readonly isOneRecord?: true;
};

type ExpectedSession = {
  readonly kind: 'sleep' | 'workout';
  readonly key: string;
  /** Local wall-clock time with its offset. */
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
  /** Everything that the provider can report, combined. */
  readonly pages: readonly FixturePage[];
  /** A page with measured zeros, and the metrics that must be 0 in its result. */
  readonly zero: { readonly page: FixturePage; readonly metrics: readonly string[] };
  /** Includes a night over midnight, a nap, and two different offsets, as far as the provider supports them. */
  readonly sessions: readonly ExpectedSession[];
  readonly naps: readonly string[];
  /** Ids beyond 2^53, exactly as they must be stored. */
  readonly bigIds: readonly { readonly kind: 'sleep' | 'workout'; readonly page: FixturePage; readonly key: string }[];
  readonly deletedSleep?: readonly string[];
  readonly webhook: WebhookFixtures | null;
};

type WebhookFixtures = {
  readonly signed: readonly SignedWebhook[];
  /** False if the provider signs no time: a replay is accepted, and must change nothing. */
  readonly signsTime: boolean;
  /** A webhook for a user whose id is beyond 2^53. */
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

/** With all unconfirmed parts unless they are named. */
export function mapPage(
  provider: CloudProvider,
  page: FixturePage,
  parts: ReadonlySet<string> = new Set(provider.unconfirmed?.map(({ part }) => part)),
): ProviderRecords {
  const context: MapContext = {
    zone: page.zone ?? 'Europe/Paris',
    window: FIXTURE_WINDOW,
    parts,
    ...(page.calledBy === undefined ? {} : { calledBy: page.calledBy }),
  };
  return findMapper(provider, page.resource).map(page.body, context);
}

/** Some providers push resources that cannot be fetched. */
type Mapper = Pick<Resource, 'name' | 'map'>;
type Pushing = CloudProvider & { readonly pushed?: readonly Mapper[] };

function findMapper(provider: Pushing, name: string): Mapper {
  const mappers: readonly Mapper[] = [...provider.resources, ...(provider.pushed ?? [])];
  const found = mappers.find((mapper) => mapper.name === name);
  if (found === undefined) throw new Error(`${provider.id} has no resource ${name}`);
  return found;
}
