// docs/metrics.md: the data catalog as tables, one a category.
import { CATEGORIES, type Category } from '../src/domain/categories.ts';
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
    '`priority` takes the value of the best device. Values outside a metric’s physical limits are refused on the way in.',
    '',
    ...DAY_VALUES,
    ...sections,
  ].join('\n');
}

/** How a device's samples become its value of the day (`domain/daily-totals.ts`, `domain/day-mean.ts`). */
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
