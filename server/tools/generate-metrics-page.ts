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
    ...sections,
  ].join('\n');
}

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
