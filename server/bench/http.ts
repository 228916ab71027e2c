// Benchmarks GET /v1/users/{id}, with authentication and rate limit, against two lower bounds: the same bytes from bare
// node:http, and a bare point select of the same row through the same driver with the same number of connections.
import { request } from 'node:http';
import { join } from 'node:path';
import type { BareAnswer } from './http/bare-http-child.ts';
import type { UserFacts } from './http/service-child.ts';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';
import { readProfileFlags } from './support/read-option.ts';
import type { Round, RoundLimits } from './support/run-round.ts';
import { median } from './support/statistics.ts';

type Contestant = { readonly name: string; readonly child: BenchChild; run(limits: RoundLimits): Promise<Round> };
type Result = Round & { readonly cpuSecondsPer1000: number };

const USERS = 1_000; // read in rotation, so that caching one user's response cannot help
const CALLERS = 64;
const ROUNDS = 7;
const WARM_UP: RoundLimits = { callers: CALLERS, seconds: 15, maxCalls: 50_000 }; // until the JIT compiler has finished
const MEASURED: RoundLimits = { callers: CALLERS, seconds: 3, maxCalls: 200_000 };
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive']); // node:http adds these itself

/** `--profile=FOLDER` writes a CPU profile of the service to that folder. */
export async function benchHttp(options: readonly string[]): Promise<string> {
  const children: BenchChild[] = [];
  const start = async (file: string, nodeFlags: string[] = []) => {
    const child = await startBenchChild(join(import.meta.dirname, 'http', file), { nodeFlags });
    children.push(child);
    return child;
  };
  try {
    const service = await start('service-child.ts', readProfileFlags(options));
    const facts = await service.call<UserFacts>('start', { users: USERS });
    const load = await start('load-child.ts');
    const paths = facts.userIds.map((id) => `/v1/users/${id}`);
    const hitting = (url: string) => (limits: RoundLimits) =>
      load.call<Round>('run', { ...limits, url, key: facts.key, paths });

    const bare = await start('bare-http-child.ts');
    const bareUrl = await bare.call<string>('start', await copyAnswer(`${facts.url}${paths[0]}`, facts.key));
    const select = await start('point-select-child.ts');
    await select.call('start', facts);

    const contestants: Contestant[] = [
      { name: 'GET /v1/users/{id}', child: service, run: hitting(facts.url) },
      { name: '(a) the same bytes, bare node:http', child: bare, run: hitting(bareUrl) },
      { name: '(b) bare prepared point select', child: select, run: (limits) => select.call<Round>('run', limits) },
    ];
    const results = await measureAlternating(contestants);
    return present(contestants, results, facts.databaseVersion);
  } finally {
    for (const child of children.reverse()) await child.end(); // the service and its database end last
  }
}

/** Alternates the contestants round by round, so that other load on the machine affects all of them. */
async function measureAlternating(contestants: readonly Contestant[]): Promise<Result[][]> {
  for (const contestant of contestants) await contestant.run(WARM_UP);
  const results: Result[][] = contestants.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { child, run }] of contestants.entries()) {
      const before = await child.readCpuSeconds();
      const measured = await run(MEASURED);
      const cpuSeconds = (await child.readCpuSeconds()) - before;
      results[index]?.push({ ...measured, cpuSecondsPer1000: (cpuSeconds / measured.calls) * 1000 });
    }
  }
  return results;
}

function present(contestants: readonly Contestant[], results: readonly Result[][], databaseVersion: string): string {
  const middle = (index: number, name: keyof Result) => median((results[index] ?? []).map((result) => result[name]));
  /** The median of the ratios per round: a disturbance in a round affects both sides. */
  const ratio = (index: number, to: number) =>
    median((results[index] ?? []).map((result, round) => result.perSecond / (results[to]?.[round]?.perSecond ?? 0)));
  const rows = contestants.map(({ name }, index) => [
    name,
    Math.round(middle(index, 'perSecond')).toLocaleString('en'),
    ratio(index, 1).toFixed(2),
    ratio(index, 2).toFixed(2),
    middle(index, 'p50Ms').toFixed(1),
    middle(index, 'p99Ms').toFixed(1),
    middle(index, 'cpuSecondsPer1000').toFixed(3),
  ]);
  const head = ['', 'per second', 'of (a)', 'of (b)', 'p50 ms', 'p99 ms', 'CPU s/1,000'];
  const conditions = `${ROUNDS} rounds of ${MEASURED.seconds} s, alternating, medians; ${CALLERS} at a time, ${USERS} users; CPU of the responding process only`;
  return [`${describeMachine()}, ${databaseVersion}`, conditions, '', presentTable(head, rows), ''].join('\n');
}

async function copyAnswer(url: string, key: string): Promise<BareAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(url, { headers: { authorization: `Bearer ${key}` } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => {
        const keepAlive = /timeout=(\d+)/.exec(String(response.headers['keep-alive']))?.[1];
        resolve({ headers: copyHeaders(response.rawHeaders), body, keepAliveMs: Number(keepAlive ?? 5) * 1000 });
      });
    });
    call.on('error', reject);
    call.end();
  });
}

function copyHeaders(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !OWN_HEADERS.has(String(raw[index - (index % 2)]).toLowerCase()));
}
