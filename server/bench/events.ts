// Benchmarks pages of 1,000 events over HTTP against a bare prepared select of the same rows.
import { join } from 'node:path';
import type { FeedFacts } from './events/service-child.ts';
import type { Load } from './http/load-child.ts';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';
import type { Round } from './support/run-round.ts';
import { median } from './support/statistics.ts';

const EVENTS = 100_000;
const PAGE = 1_000;
const CALLERS = 16;
const AIM = 0.3;

/** `--quick` takes a few seconds and prints no verdict. */
export async function benchEvents(options: readonly string[]): Promise<string> {
  const size = options.includes('--quick') ? { rounds: 2, seconds: 1 } : { rounds: 7, seconds: 3 };
  const children: BenchChild[] = [];
  const start = async (file: string) => {
    const child = await startBenchChild(join(import.meta.dirname, file));
    children.push(child);
    return child;
  };
  try {
    const service = await start('events/service-child.ts');
    const facts = await service.call<FeedFacts>('start', { events: EVENTS, page: PAGE });
    const load = await start('http/load-child.ts');
    const select = await start('events/select-child.ts');
    const { connection, connections, cursors } = facts;
    const paths = cursors.map((cursor) => `/v1/events?limit=${PAGE}&cursor=${cursor}`);
    const contestants = [
      () =>
        load.call<Round>('run', {
          url: facts.url,
          key: facts.key,
          paths,
          callers: CALLERS,
          seconds: size.seconds,
          maxCalls: 100_000,
        } satisfies Load),
      () =>
        select.call<Round>('run', {
          connection,
          connections,
          pages: cursors.length,
          page: PAGE,
          callers: CALLERS,
          seconds: size.seconds,
        }),
    ];
    const results: Round[][] = contestants.map(() => []);
    for (let round = -1; round < size.rounds; round += 1)
      for (const [index, run] of contestants.entries()) {
        const measured = await run();
        if (round >= 0) results[index]?.push(measured); // the first round warms up
      }
    return present(results, size, facts.databaseVersion);
  } finally {
    for (const child of children.reverse()) await child.end();
  }
}

function present(results: readonly Round[][], size: { rounds: number; seconds: number }, version: string): string {
  const middle = (index: number, name: keyof Round) => median((results[index] ?? []).map((round) => round[name]));
  const ratios = (results[0] ?? []).map(({ perSecond }, round) => perSecond / (results[1]?.[round]?.perSecond ?? 0));
  const row = (name: string, index: number, ratio: string, spread: string) => [
    name,
    middle(index, 'perSecond').toFixed(0),
    Math.round(middle(index, 'perSecond') * PAGE).toLocaleString('en'),
    ratio,
    spread,
    middle(index, 'p50Ms').toFixed(1),
    middle(index, 'p99Ms').toFixed(1),
  ];
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  const rows = [
    row('GET /v1/events?limit=1000', 0, median(ratios).toFixed(2), spread),
    row('(a) bare prepared select', 1, '1.00', ''),
  ];
  const conditions = `pages of ${PAGE.toLocaleString('en')} out of ${EVENTS.toLocaleString('en')} events, ${CALLERS} at a time, ${size.rounds} rounds of ${size.seconds} s, alternating, medians; aim ${AIM} of (a)`;
  const head = ['', 'pages/s', 'events/s', 'of (a)', 'rounds', 'p50 ms', 'p99 ms'];
  return [`${describeMachine()}, ${version}`, conditions, '', presentTable(head, rows), ''].join('\n');
}
