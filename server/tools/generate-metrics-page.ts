// docs/metrics.md: the data catalog as tables, one a category.
import { CATEGORIES, type Category } from '../src/domain/metrics/categories.ts';
import { findDayFormula } from '../src/domain/metrics/derived-metrics.ts';
import { HISTORY_RULES, type HistoryRule } from '../src/domain/metrics/history-metrics.ts';
import { METRICS, type Metric } from '../src/domain/metrics/index.ts';
import { NOTICE, table } from './generate-pages.ts';

const HEADINGS = [
  'Metric',
  'What it is',
  'Unit',
  'Day value',
  'Samples',
  'Chosen by',
  'Devices, best first',
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
    NOTICE,
    '',
    `${METRICS.length} metrics. "Chosen by" is the default: \`merge\` takes each quarter hour from the best device that has it,`,
    '`priority` takes the value of the best device ([details and examples](merge.md)). Values outside a metric’s physical limits are refused on the way in.',
    '',
    ...DAY_VALUES,
    ...sections,
    ...writeDerived(),
  ].join('\n');
}

/** How a device's samples become its value of the day (`domain/consolidate/daily-totals.ts`, `domain/consolidate/day-mean.ts`). */
const DAY_VALUES = [
  '## Day values',
  '',
  ...table(
    ['Day value', 'Made from the samples of a device'],
    [
      ['sum, duration', 'Added up. A sample that crosses midnight is divided between the days by time.'],
      [
        'mean',
        'Weighted by time: the mean of the quarter-hour means, so that a second-by-second workout of 15 minutes weighs as much as any other 15 minutes. ' +
          'Example: 900 samples of 150 bpm from 10:00 to 10:15 and one of 60 bpm at 11:00, 12:00 and 13:00 give 82.5 bpm (a mean by sample count would give 149.7). ' +
          'A sample that lasts counts in every quarter hour it touches; one longer than an hour, where there is no shorter sample.',
      ],
      ['last', 'The latest sample of the day.'],
      ['min, max', 'The lowest or highest sample of the day.'],
    ],
  ),
  '',
  'A value that the device states for the whole day is used instead of its samples.',
  '',
];

const SESSION_FORMULAS: Readonly<Record<string, string>> = {
  workout_count: 'number of the workouts shown',
  sleep_efficiency: '100 * asleep / time_in_bed of the main sleep',
};

/** Every metric that a rule computes. `test/api/derived-metrics.long.test.ts` checks that none without a source is missing. */
function writeDerived(): string[] {
  const rows = METRICS.flatMap(({ id }) => {
    const rule = HISTORY_RULES.get(id);
    const formula = findDayFormula(id) ?? rule?.formula ?? SESSION_FORMULAS[id];
    return formula === undefined ? [] : [[`\`${id}\``, formula, describeReach(rule?.reachDays ?? 0)]];
  });
  return [
    '## Derived metrics',
    '',
    'The service computes these from canonical values, so that they agree with what you read. No upload can set them, except',
    '`body_mass_index` and `body_fat_mass`: what a device reports wins over the formula.',
    '',
    ...table(['Metric', 'Formula', 'A change of a day moves'], rows),
    '',
    ...NOTES,
    '',
  ];
}

function describeReach(reach: HistoryRule['reachDays']): string {
  if (reach === 'next_height') return 'that day; a height: every day up to the next height';
  return reach === 0 ? 'that day' : `that day and up to ${reach} days after it`;
}

const NOTES = [
  '`training_load`, the waking and sleep values and `body_mass_index` are computed with the scores, about a second after their data;',
  'those of the present day follow at most every 4 hours where only data of the waking day was added. A change emits `data.updated` with',
  '`device_id: null`, and `deleted: true` where a value went away. `GET /v1/users/{id}/daily/explain` shows the formula and its inputs.',
  '',
  'Missing data is never counted as zero:',
  '',
  '- A night that no device recorded is left out of `sleep_debt`, `sleep_midpoint_variability` and `sleep_regularity_index`; it is not a',
  '  night awake. Example: of seven days four have a night, 60, 0, 30 and 30 minutes short: the debt is 30.',
  '- `sleep_need`, `sleep_debt` and the two regularity metrics exist on days with a night only. Naps count as sleep: they are part of',
  '  `asleep` and of the minutes asleep of the regularity index, but not of `sleep_midpoint`.',
  '- `sleep_regularity_index` compares wall-clock minutes from noon to noon, so that a change to summer time moves nothing. Example: in bed',
  '  23:00–07:00 each day is 100; one night of seven from 01:00 to 09:00 differs in 4 hours of both comparisons it is part of.',
  '- `waking_heart_rate` needs step samples of the day: without them nobody knows who was still.',
  '- A result outside of the physical limits of its metric is dropped.',
];

function describe(metric: Metric): string[] {
  const unit = metric.unit === metric.imperialUnit ? metric.unit : `${metric.unit} (${metric.imperialUnit})`;
  return [
    `\`${metric.id}\``,
    metric.description,
    unit,
    metric.kind,
    { public: 'served', stored: 'served (addition)', no: '–' }[metric.samples],
    describeChoice(metric),
    metric.ranking.join(', ') || '–',
    metric.acceptedUnits.join(', '),
  ];
}

function describeChoice({ consolidation, defaultMethod }: Metric): string {
  if (consolidation.by === 'derived') return 'derived';
  if (consolidation.by === 'computed') return 'computed';
  return consolidation.by === 'group' ? `${defaultMethod}, group \`${consolidation.group}\`` : defaultMethod;
}

function title(category: Category): string {
  const text = category.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
