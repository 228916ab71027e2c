// `npm run bench -- NAME…` runs benchmarks by name. Each prints its measurement next to a comparison, because on a machine
// that does other work only ratios within one run are meaningful.
import path from 'node:path';
import { benchCitusUploads } from './citus-uploads.ts';
import { benchEvents } from './events.ts';
import { benchExport } from './export.ts';
import { benchGrowth } from './growth.ts';
import { benchHostile } from './hostile.ts';
import { benchHttp } from './http.ts';
import { benchImport } from './import.ts';
import { benchIngest } from './ingest.ts';
import { benchPartitions } from './partitions.ts';
import { benchProcesses } from './processes.ts';
import { MONTH_QUERY } from './reads/queries.ts';
import { benchReads } from './reads.ts';
import { benchRebuild } from './rebuild.ts';
import { benchAuditTrail, benchRequestLog } from './request-log.ts';
import { benchSandbox } from './sandbox.ts';
import { benchScores } from './scores.ts';
import { benchSmallUploads } from './small-uploads.ts';
import { benchStart } from './start.ts';
import { benchStorage } from './storage.ts';
import { benchStorageSpans } from './storage-intervals.ts';
import { startBenchChild } from './support/bench-child.ts';
import type { ServiceFacts } from './support/bench-service.ts';
import { benchSync } from './sync.ts';
import { benchUploadParse } from './upload-parse.ts';
import { benchWebhooks } from './webhooks.ts';

type Bench = { readonly about: string; run(options: readonly string[]): Promise<string> };

const BENCHES: Readonly<Record<string, Bench>> = {
  'audit-trail': {
    about: 'reads with the audit trail, compared with the same reads without; about 3 min, --quick 30 s',
    run: benchAuditTrail,
  },
  'citus-uploads': {
    about:
      'small uploads on Citus with two workers, compared with a plain server; about 3 min, --quick 1 min, --bin=FOLDER of a PostgreSQL with Citus, --shards=NUMBER',
    run: benchCitusUploads,
  },
  client: {
    about: 'reads through @tributary/client, compared with bare fetch; about 2 min, --quick 30 s',
    run: benchClient,
  },
  events: {
    about: 'pages of 1,000 events of the feed, beside a bare select of the same rows; about 1 min, --quick 10 s',
    run: benchEvents,
  },
  export: {
    about:
      'the export of a user-year with heart rate every minute in each format, beside writing the stored samples as JSON; about 3 min, --quick 1 min, --only=FORMAT',
    run: benchExport,
  },
  growth: {
    about:
      'the cost of each operation at 100 to 100,000 users and with a month to ten years, and the exponent of each curve; about 15 min, --quick 1 min, --users=100,100000, --costly',
    run: benchGrowth,
  },
  hostile: {
    about:
      'each attack on the service: its memory and stalls, and the reads of another account; about 8 min, --quick 4 min, --only=NAME',
    run: benchHostile,
  },
  http: { about: 'requests/s of one read, beside bare node:http and a bare point select; about 90 s', run: benchHttp },
  import: {
    about:
      'an Apple Health export of 1 GB: reading it, and importing a tenth of it; about 3 min, --quick 20 s, --mb=SIZE, --read',
    run: benchImport,
  },
  ingest: {
    about: 'uploads of a device-day, compared with a bare COPY of the same samples; about 1 min, --quick 10 s',
    run: benchIngest,
  },
  partitions: {
    about: 'rows that are removed by age, in plain tables and in partitions by week and day; about 6 min, --quick 20 s',
    run: benchPartitions,
  },
  processes: {
    about:
      'daily reads of 1, 2 and 4 API processes behind one port, with the CPU of each part; about 4 min, --quick 2 min, --sizes=1,2,8',
    run: benchProcesses,
  },
  reads: {
    about: 'daily and timeseries, compared with their lower bounds, and with 10,000 users; about 8 min, --quick 1 min',
    run: benchReads,
  },
  rebuild: {
    about: 'user-years per minute that a rebuild after a change of settings consolidates; about 1 min',
    run: benchRebuild,
  },
  'request-log': {
    about:
      'reads with the request log and the usage counters, compared with the same reads without; about 3 min, --quick 30 s',
    run: benchRequestLog,
  },
  sandbox: {
    about: 'creating a sandbox user with its week and its scores, compared with a live user; about 30 s, --quick 10 s',
    run: benchSandbox,
  },
  scores: {
    about: 'the six scores of one day, and of a whole year including reads and writes; about 40 s',
    run: benchScores,
  },
  'small-uploads': {
    about:
      'uploads of a few samples by 64 phones, compared with one durable single-row transaction; about 2 min, --quick 30 s',
    run: benchSmallUploads,
  },
  start: { about: 'seconds until ready, and idle memory; about 60 s', run: benchStart },
  storage: {
    about:
      'bytes per sample after a month of hourly uploads; about 5 min, --quick 20 s, --late-hours; --person: bytes per table of a scored year, 30 s',
    run: benchStorage,
  },
  'storage-intervals': {
    about:
      'sample blocks of one hour, six hours and one day, compared with each other; about 5 min, --quick 30 s, --settings',
    run: benchStorageSpans,
  },
  sync: {
    about:
      'device-years per minute from recorded pages, provider webhooks acknowledged at 200/s, and the mapping of every provider; about 2 min, --quick 30 s',
    run: benchSync,
  },
  'upload-parse': {
    about: 'an upload from bytes to validated columns, compared with bare JSON.parse; about 15 s',
    run: benchUploadParse,
  },
  webhooks: {
    about:
      'deliveries/s, compared with a bare POST loop, and the time from an event to its first attempt; about 2 min, --quick 20 s',
    run: benchWebhooks,
  },
};

/** The client is not part of the server, so it is loaded by a computed path. */
async function benchClient(options: readonly string[]): Promise<string> {
  const file = path.resolve(import.meta.dirname, '../../sdk/client/bench/overhead.ts');
  const { benchClient: compare } = await import(file);
  const service = await startBenchChild(path.join(import.meta.dirname, 'reads/service-child.ts'));
  try {
    const { url, key } = await service.call<ServiceFacts>('start', {});
    const [userId] = await service.call<readonly string[]>('fillDaily', { users: 1 });
    return await compare(options, { url, key, userId, query: MONTH_QUERY });
  } finally {
    await service.end();
  }
}

async function main(args: readonly string[]): Promise<number> {
  const isOption = (arg: string) => arg.startsWith('-');
  const names = args.filter((arg) => !isOption(arg));
  const unknown = names.filter((name) => !(name in BENCHES));
  if (names.length === 0 || unknown.length > 0) {
    const list = Object.entries(BENCHES).map(([name, { about }]) => `  ${name.padEnd(14)} ${about}`);
    const complaint = unknown.map((name) => `Unknown benchmark "${name}".`);
    process.stdout.write(`${[...complaint, 'npm run bench -- NAME…', ...list].join('\n')}\n`);
    return unknown.length > 0 ? 1 : 0;
  }
  for (const name of names) process.stdout.write(`${await BENCHES[name]?.run(args.filter(isOption))}\n`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
