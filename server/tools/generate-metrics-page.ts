// Generates docs/metrics.md: the data catalog as tables, one per category.
import { CATEGORIES, type Category } from '../src/domain/metrics/categories.ts';
import { findDayFormula } from '../src/domain/metrics/derived-metrics.ts';
import { HISTORY_RULES, type HistoryRule } from '../src/domain/metrics/history-metrics.ts';
import { METRICS, type Metric } from '../src/domain/metrics/index.ts';
import { GENERATED_HEADER, table } from './generate-pages.ts';

const HEADINGS = [
  'Metric',
  'Description',
  'Unit',
  'Day value',
  'Samples',
  'Default method',
  'Devices, highest rank first',
  'Accepts',
];

export function writeMetricsPage(): string {
  const sections = CATEGORIES.flatMap((category) => [
    `## ${title(category)}`,
    '',
    ...table(HEADINGS, METRICS.filter((metric) => metric.category === category).map(describe)),
    '',
  ]);
  return [
    '# Metrics',
    '',
    GENERATED_HEADER,
    '',
    `The catalog has ${METRICS.length} metrics. The tables have the name and unit of each metric, how its daily value is computed, and what an upload may send.`,
    '`GET /v1/catalog/metrics` returns the same data. The columns:',
    '',
    ...COLUMNS,
    '',
    ...DAY_VALUES,
    ...sections,
    ...writeDerived(),
  ].join('\n');
}

const COLUMNS = [
  '- **Unit**: the unit of values; the imperial unit is in parentheses where it differs.',
  '- **Day value**: how the samples of a device become its value of the day, see [day values](#day-values).',
  '- **Samples**: whether `GET …/timeseries` returns them.',
  '- **Default method**: how one value is made of several devices. `merge` takes each quarter hour from the highest-ranked device that has',
  '  it, `priority` takes the value of the highest-ranked device ([methods](merge.md#methods)). A group has one setting for several metrics.',
  '  `derived` and `computed` metrics have no setting.',
  '- **Devices, highest rank first**: the order of device classes in the [ranking](merge.md#device-ranking).',
  '- **Accepts**: the units that an upload may use. Values outside of the physical limits of a metric are rejected.',
];

/** How samples become a device's daily value (`domain/consolidate/daily-totals.ts`, `domain/consolidate/day-mean.ts`). */
const DAY_VALUES = [
  '## Day values',
  '',
  ...table(
    ['Day value', 'How it is computed from the samples of a device'],
    [
      ['sum, duration', 'The sum. A sample that crosses midnight is divided between the days in proportion to time.'],
      [
        'mean',
        'Weighted by time: the mean of the quarter-hour means, so that a 15-minute workout with a sample every second counts as much as any other 15 minutes. ' +
          'Example: 900 samples of 150 bpm from 10:00 to 10:15 and one of 60 bpm at 11:00, 12:00 and 13:00 give 82.5 bpm (a mean by sample count would give 149.7). ' +
          'A sample with a duration counts in every quarter hour it touches; a sample longer than an hour counts only where there is no shorter one.',
      ],
      ['last', 'The latest sample of the day.'],
      ['min, max', 'The lowest or highest sample of the day.'],
    ],
  ),
  '',
  'A daily value that the device reports is used instead of its samples. Shares and variability of glucose come from the readings of `blood_glucose`; see [glucose](glucose.md).',
  '',
];

const SESSION_FORMULAS: Readonly<Record<string, string>> = {
  workout_count: 'number of canonical workouts',
  sleep_efficiency: '100 * asleep / time_in_bed of the main sleep',
};

/** Every metric that a rule computes. `test/api/derived-metrics.long.test.ts` checks that none is missing. */
function writeDerived(): string[] {
  const rows = METRICS.flatMap(({ id }) => {
    const rule = HISTORY_RULES.get(id);
    const formula = findDayFormula(id) ?? rule?.formula ?? SESSION_FORMULAS[id];
    return formula === undefined ? [] : [[`\`${id}\``, formula, describeReach(rule?.reachDays ?? 0)]];
  });
  return [
    '## Derived metrics',
    '',
    'The service computes these from canonical values, so that they agree with the values you read. An upload cannot set them, except',
    '`body_mass_index` and `body_fat_mass`: a value that a device reports wins over the formula.',
    '',
    ...table(['Metric', 'Formula', 'Days that change with their inputs'], rows),
    '',
    ...NOTES,
    '',
  ];
}

function describeReach(reach: HistoryRule['reachDays']): string {
  if (reach === 'next_height') return 'the same day; for a height, every day up to the next height';
  return reach === 0 ? 'the same day' : `the same day and up to ${reach} days after it`;
}

const NOTES = [
  '`training_load`, the waking and sleep values and `body_mass_index` are computed with the scores, about a second after their data.',
  'Those of the present day follow at most every 4 hours if only data of the waking day was added. A change emits `data.updated` with',
  '`device_id: null`, and with `deleted: true` where a value was removed. `GET /v1/users/{id}/daily/explain` returns the formula and its inputs.',
  '',
  'Missing data never counts as zero:',
  '',
  '- A night that no device recorded is ignored by `sleep_debt`, `sleep_midpoint_variability` and `sleep_regularity_index`; it does not',
  '  count as a night awake. Example: of seven days four have a night, 60, 0, 30 and 30 minutes short: the debt is 30.',
  '- `sleep_need`, `sleep_debt` and the two regularity metrics exist only on days with a night. Naps count as sleep: they are part of',
  '  `asleep` and of the minutes asleep of the regularity index, but not of `sleep_midpoint`.',
  '- `sleep_regularity_index` compares wall-clock minutes from noon to noon, so a change to summer time has no effect. Example: in bed',
  '  23:00–07:00 every day is 100; one night of seven from 01:00 to 09:00 differs in 4 hours of both comparisons it is part of.',
  '- `waking_heart_rate` needs step samples of the day: without them the service does not know when the person was still.',
  '- A result outside of the physical limits of its metric is dropped.',
];

function describe(metric: Metric): string[] {
  const unit = metric.unit === metric.imperialUnit ? metric.unit : `${metric.unit} (${metric.imperialUnit})`;
  return [
    `\`${metric.id}\``,
    metric.description,
    unit,
    metric.kind,
    metric.samples === 'no' ? '–' : 'yes',
    describeMethod(metric),
    metric.ranking.join(', ') || '–',
    metric.acceptedUnits.join(', '),
  ];
}

function describeMethod({ consolidation, defaultMethod }: Metric): string {
  if (consolidation.by === 'derived') return 'derived';
  if (consolidation.by === 'computed') return 'computed';
  return consolidation.by === 'group' ? `${defaultMethod}, group \`${consolidation.group}\`` : defaultMethod;
}

function title(category: Category): string {
  const text = category.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
