// Reads the text that /metrics returns.

export type ScrapedMetric = {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly series: readonly ScrapedSeries[];
};
type ScrapedSeries = {
  /** With the suffix of a histogram, for example `_bucket`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

export function parseScrape(text: string): ScrapedMetric[] {
  const blocks = text.split(/^(?=# HELP )/m).filter((block) => block.trim() !== '');
  return blocks.map((block) => {
    const [, name = '', help = ''] = /^# HELP (\S+) ?(.*)$/m.exec(block) ?? [];
    const [, type = ''] = /^# TYPE \S+ (\S+)$/m.exec(block) ?? [];
    const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return { name, type, help, series: lines.map(parseSeries) };
  });
}

function parseSeries(line: string): ScrapedSeries {
  const [, name = '', labels = '', value = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text])),
    value: Number(value),
  };
}

/** The value of one series; undefined: it does not exist. */
export function seriesValue(
  metrics: readonly ScrapedMetric[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const all = metrics.flatMap(({ series }) => series).filter((series) => series.name === name);
  return all.find((series) => Object.entries(labels).every(([key, text]) => series.labels[key] === text))?.value;
}
