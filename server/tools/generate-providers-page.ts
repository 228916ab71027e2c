// Generates docs/providers.md: which resource of which provider gives which metric. It maps the fixtures of every connector, so
// that the page shows what the mappings really do.
import { CATEGORIES } from '../src/domain/metrics/categories.ts';
import { METRICS, type Metric } from '../src/domain/metrics/index.ts';
import type { SleepSession, Workout } from '../src/domain/records/records.ts';
import type { CloudProvider } from '../src/providers/contract.ts';
import type { ProviderRecords } from '../src/providers/provider-records.ts';
import { CLOUD_PROVIDERS } from '../src/providers/registry.ts';
import { mapPage, type ProviderFixtures } from '../test/support/provider-fixture.ts';
import { PROVIDER_FIXTURES } from '../test/support/provider-fixtures/index.gen.ts';
import { GENERATED_HEADER, table } from './generate-pages.ts';

const NONE = '–';

/** Resource names by target: a metric or a field of a session. */
type Coverage = ReadonlyMap<string, ReadonlySet<string>>;

const SLEEP_FIELDS: Readonly<Partial<Record<keyof SleepSession, string>>> = {
  start: 'start and end',
  stages: 'hypnogram',
  inBedMinutes: 'minutes in bed',
  asleepMinutes: 'minutes asleep',
  lightMinutes: 'light sleep',
  deepMinutes: 'deep sleep',
  remMinutes: 'REM sleep',
  awakeMinutes: 'minutes awake',
  heartRate: 'heart rate',
  heartRateVariability: 'heart-rate variability',
  respiratoryRate: 'respiratory rate',
  bloodOxygen: 'blood oxygen',
  bodyTemperature: 'body temperature',
  skinTemperature: 'skin temperature',
  wristTemperature: 'wrist temperature',
};

const WORKOUT_FIELDS: Readonly<Partial<Record<keyof Workout, string>>> = {
  start: 'start, end and sport',
  durationMinutes: 'moving time',
  distanceKm: 'distance',
  activeCalories: 'active calories',
  steps: 'steps',
  elevationGainM: 'elevation gain',
  avgMets: 'average MET',
  avgHeartRate: 'average heart rate',
  maxHeartRate: 'highest heart rate',
  heartRateSamples: 'heart-rate trace',
  sourceZones: 'heart-rate zones',
  swimmingStrokeCount: 'swimming strokes',
  swimmingLapLengthM: 'pool length',
  weatherTemperatureC: 'air temperature',
};

export function writeProvidersPage(): string {
  const coverages = CLOUD_PROVIDERS.map((provider) => readCoverage(provider, fixturesOf(provider)));
  const cellsOf = (name: string) => coverages.map((coverage) => listNames(coverage.get(name)));
  const rowsOf = (fields: Readonly<Partial<Record<string, string>>>, kind: string) =>
    Object.entries(fields)
      .map(([field, label = field]) => [label, ...cellsOf(`${kind}.${field}`)])
      .filter(([, ...cells]) => cells.some((cell) => cell !== NONE));
  const section = (title: string, first: string, rows: readonly (readonly string[])[]) => [
    `## ${title}`,
    '',
    ...table([first, ...CLOUD_PROVIDERS.map(({ displayName }) => displayName)], rows),
    '',
  ];
  const isGiven = ({ id }: Metric) => coverages.some((coverage) => coverage.has(id));
  const categories = CATEGORIES.map((category) => ({
    category,
    metrics: METRICS.filter((metric) => metric.category === category && isGiven(metric)),
  })).filter(({ metrics }) => metrics.length > 0);
  return [
    '# Providers',
    '',
    GENERATED_HEADER,
    '',
    'Which data you get from which provider. For each metric, and for each field of a sleep or workout, the tables name the',
    'resources of the provider that it comes from.',
    '',
    '- `–`: the provider does not deliver it.',
    `- \`${UNCONFIRMED_MARK}\` after a resource: only if you enable one of its [unconfirmed parts](#unconfirmed-parts).`,
    '- The service computes further metrics, for example the totals of a night or workout and [derived metrics](metrics.md#derived-metrics).',
    '- [Mapping notes](sync.md#mapping-notes) explain fields whose name does not say how they are mapped.',
    '- The [last section](#unused-fields) lists documented fields that the service does not use, with the reason.',
    '',
    ...categories.flatMap(({ category, metrics }) =>
      section(
        titleOf(category),
        'Metric',
        metrics.map(({ id }) => [`\`${id}\``, ...cellsOf(id)]),
      ),
    ),
    ...section('Sleep sessions', 'Field', rowsOf(SLEEP_FIELDS, 'sleep')),
    ...section('Workouts', 'Field', rowsOf(WORKOUT_FIELDS, 'workout')),
    ...describeUnconfirmed(),
    '## Unused fields',
    '',
    'Fields that a provider documents and that could provide a metric of the catalog.',
    '',
    ...table(
      ['Provider', 'Resource', 'Field', 'Metric', 'Reason'],
      CLOUD_PROVIDERS.flatMap(({ displayName, notMapped }) =>
        notMapped.map(({ resource, field, metrics, reason }) => [
          displayName,
          `\`${resource}\``,
          `\`${field}\``,
          metrics.map((id) => `\`${id}\``).join(', '),
          reason,
        ]),
      ),
    ),
    '',
  ].join('\n');
}

/** After resources that deliver nothing, or not this metric, unless the operator enables a part. */
const UNCONFIRMED_MARK = '*';

function describeUnconfirmed(): string[] {
  const rows = CLOUD_PROVIDERS.flatMap(({ id, displayName, unconfirmed = [] }) =>
    unconfirmed.map(({ part, reason }) => [displayName, `\`${id}.${part}\``, reason]),
  );
  if (rows.length === 0) return [];
  return [
    '## Unconfirmed parts',
    '',
    'No public source confirms them, so they are off until you [enable them](restrictions.md#unconfirmed-parts).',
    '',
    ...table(['Provider', 'Part', 'Reason'], rows),
    '',
  ];
}

export function readCoverage(provider: CloudProvider, { pages }: ProviderFixtures): Coverage {
  const coverage = new Map<string, Set<string>>();
  const add = (name: string, resource: string) => coverage.getOrInsertComputed(name, () => new Set()).add(resource);
  for (const page of pages) {
    const { resource } = page;
    const isOff = provider.resources.some(({ name, part }) => name === resource && part !== undefined);
    const confirmed = new Set(isOff ? [] : listGiven(mapPage(provider, page, new Set())));
    for (const name of confirmed) add(name, resource);
    for (const parts of listPartSets(provider))
      for (const name of listGiven(mapPage(provider, page, parts)))
        if (!confirmed.has(name)) add(name, `${resource}${UNCONFIRMED_MARK}`);
  }
  for (const resources of coverage.values())
    for (const name of resources) resources.delete(`${name}${UNCONFIRMED_MARK}`); // another page confirms it
  return coverage;
}

/** All parts, and each by itself, because some exclude each other. */
function listPartSets({ unconfirmed = [] }: CloudProvider): ReadonlySet<string>[] {
  const parts = unconfirmed.map(({ part }) => part);
  return [new Set(parts), ...parts.map((part) => new Set([part]))];
}

export function fixturesOf({ id }: CloudProvider): ProviderFixtures {
  const fixtures = PROVIDER_FIXTURES[id];
  if (fixtures === undefined) throw new Error(`the connector ${id} has no fixtures`);
  return fixtures;
}

function listGiven({ samples, daily, sleep, workouts }: ProviderRecords): string[] {
  const fieldsOf = (kind: string, session: SleepSession | Workout) =>
    Object.entries(session).flatMap(([field, value]) => (value === null ? [] : [`${kind}.${field}`]));
  return [
    ...samples.keys(),
    ...daily.map(({ metric }) => metric),
    ...sleep.flatMap((session) => fieldsOf('sleep', session)),
    ...workouts.flatMap((workout) => fieldsOf('workout', workout)),
  ];
}

function listNames(names: ReadonlySet<string> | undefined): string {
  return (
    [...(names ?? [])]
      .sort()
      .map((name) => `\`${name}\``)
      .join(', ') || '–'
  );
}

function titleOf(category: string): string {
  const text = category.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
