// `npm run bench -- NAME…`: the benchmarks by name. Each prints what it measured beside what it is compared with, since
// on a machine that does other things as well only ratios inside one run mean anything.
import { benchHttp } from './http.ts';
import { benchStart } from './start.ts';
import { benchStorageSpans } from './storage-spans.ts';
import { benchUploadParse } from './upload-parse.ts';

type Bench = { readonly about: string; run(options: readonly string[]): Promise<string> };

const BENCHES: Readonly<Record<string, Bench>> = {
  http: { about: 'requests/s of one read, beside bare node:http and a bare point select; about 90 s', run: benchHttp },
  start: { about: 'seconds until ready, and memory at rest; about 60 s', run: benchStart },
  'storage-spans': {
    about: 'sample blocks of an hour, six hours and a day beside each other; about 5 min, --quick 30 s, --settings',
    run: benchStorageSpans,
  },
  'upload-parse': {
    about: 'an upload from bytes to checked columns, beside bare JSON.parse; about 15 s',
    run: benchUploadParse,
  },
};

async function main(args: readonly string[]): Promise<number> {
  const isOption = (arg: string) => arg.startsWith('-');
  const names = args.filter((arg) => !isOption(arg));
  const unknown = names.filter((name) => !(name in BENCHES));
  if (names.length === 0 || unknown.length > 0) {
    const list = Object.entries(BENCHES).map(([name, { about }]) => `  ${name.padEnd(14)} ${about}`);
    const complaint = unknown.map((name) => `There is no benchmark "${name}".`);
    process.stdout.write(`${[...complaint, 'npm run bench -- NAME…', ...list].join('\n')}\n`);
    return unknown.length > 0 ? 1 : 0;
  }
  for (const name of names) process.stdout.write(`${await BENCHES[name]?.run(args.filter(isOption))}\n`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
