// The architecture's rules as data, each with its reason. `import-rules.ts` applies them; paths are relative to `server/`.

const OUTBOUND = /^src\/platform\/outbound/;
const NETWORK_MODULE = /^(node:(https?|http2|net|tls|dgram|dns)\b|src\/platform\/node-http\.ts$)/;
const READS_ENVIRONMENT = /^src\/(config|main)\.ts$/;
const PLATFORM_DOMAIN =
  /^src\/domain\/((branded|tenancy|round-to|bounded-map|storable-text|time\/durations)\.ts$|branding\/|texts\/)/;
const NOTHING = /^(?!)/;
/** Up to three calls deep in the arguments of the assertion. */
const EVERY_IN_ASSERT = /(?<=\bassert(?:\.\w+)?\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\.every\s*\(/g;

type Layer = {
  name: string;
  holds: RegExp;
  mayImport: readonly string[];
  reason: string;
};

/** What each of these layers may import: itself, and all that the layer below it may. */
const PLATFORM = ['platform', 'domain', 'npm', 'node'];
const PROVIDERS = ['providers', ...PLATFORM];
const FEATURES = ['features', 'simulator', ...PROVIDERS];
const APP = ['app', 'config', 'data', ...FEATURES];

/** The first layer that holds a path is its layer; `npm`, `node` and `data` (package.json) lie outside of ours. */
export const layers: readonly Layer[] = [
  {
    name: 'domain',
    holds: /^src\/domain\//,
    mayImport: ['domain'],
    reason: 'the domain is pure: no I/O, no library, nothing of the server, so that numbers change only there',
  },
  {
    name: 'platform',
    holds: /^src\/platform\//,
    mayImport: PLATFORM,
    reason: 'the platform knows no feature, no provider and no settings: it is handed what it needs',
  },
  {
    name: 'providers',
    holds: /^src\/providers\//,
    mayImport: PROVIDERS,
    reason:
      'a provider is data, pure functions and a client over platform/outbound; it never sees a feature or the config',
  },
  {
    name: 'simulator',
    holds: /^src\/simulator\//,
    mayImport: ['simulator', ...PLATFORM],
    reason: 'simulated providers are written without the connectors, so that each checks the other',
  },
  {
    name: 'features',
    holds: /^src\/features\//,
    mayImport: FEATURES,
    reason: 'features are wired by compose.ts, which hands them their settings; upwards goes an event or a job',
  },
  {
    name: 'config',
    holds: /^src\/(config|settings)\./,
    mayImport: ['config', 'data', ...PLATFORM],
    reason: 'the config only reads settings; what they configure is wired in compose.ts',
  },
  {
    name: 'app',
    holds: /^src\/([^/]+\.ts$|(main|cli|compose|processes)\/)/,
    mayImport: APP,
    reason: 'what is shipped must run without test/, tools/ and bench/',
  },
  {
    name: 'fixtures',
    holds: /^test\/support\/provider-fixture(\.ts$|s\/)/,
    mayImport: ['fixtures', ...PROVIDERS],
    reason: 'answers of providers are data for tests and for generated pages, and need neither',
  },
  {
    name: 'test',
    holds: /^test\//,
    mayImport: ['test', 'tools', 'fixtures', ...APP],
    reason: 'benchmarks build on tests, not the other way round',
  },
  {
    name: 'tools',
    holds: /^tools\//,
    mayImport: ['tools', 'fixtures', ...APP],
    reason: 'repository checks must work when the tests do not; the fixtures are data that pages are generated from',
  },
  {
    name: 'bench',
    holds: /^bench\//,
    mayImport: ['bench', 'test', 'fixtures', ...APP],
    reason: 'benchmarks use the product and the test support only',
  },
];

/** What a `*.test.ts` inside `src/` may import on top of its layer. */
export const testMayImport: readonly string[] = ['test', 'providers', 'simulator', 'fixtures', 'npm', 'node', 'data'];

/** Groups of features, lowest first: a feature imports its own group and those before it. */
const featureGroups: readonly string[] = [
  'tenancy',
  'store',
  'notify',
  'pipeline',
  'intake',
  'sandbox',
  'clouds',
  'reads',
  'people',
  'operator',
];

/** Folders of clouds/sync, lowest first, in the order of the work. */
const syncFolders: readonly string[] = ['plan', 'fetch', 'commit', 'schedule'];

type ImportRule = {
  name: string;
  refuses: (from: string, to: string, typeOnly: boolean) => boolean;
  testsExempt: boolean;
  reason: string;
};

export const importRules: readonly ImportRule[] = [
  {
    name: 'feature-index',
    refuses: (from, to) => isOtherFeature(from, to) && !/^src\/features\/[^/]+\/[^/]+\/index\.ts$/.test(to),
    testsExempt: false,
    reason: 'another feature is used only through its index.ts, which names what others may use',
  },
  {
    name: 'group-order',
    refuses: (from, to) => readGroupOrder(to) > readGroupOrder(from) && readFeature(from) !== null,
    testsExempt: true,
    reason: 'groups of features have one import order; upwards goes an event or a job',
  },
  {
    name: 'sync-order',
    refuses: (from, to) => readSyncFolder(from) !== null && readSyncOrder(to) > readSyncOrder(from),
    testsExempt: true,
    reason:
      'a sync is planned, fetched, committed and scheduled: a folder imports those before it and the files beside them',
  },
  {
    name: 'platform-domain',
    refuses: (from, to) =>
      from.startsWith('src/platform/') && to.startsWith('src/domain/') && !PLATFORM_DOMAIN.test(to),
    testsExempt: true,
    reason:
      'the platform knows no health data: of the domain it uses only ids, tenancy, rounding, durations, caches, text limits, branding and the texts of hosted pages',
  },
  {
    name: 'simulator-users',
    refuses: (from, to) => /^src\/features\/(?!sandbox\/)/.test(from) && to.startsWith('src/simulator/'),
    testsExempt: true,
    reason: 'only the sandbox features and the command line start simulated providers',
  },
  {
    name: 'provider-folder',
    refuses: (from, to) => from.startsWith('src/features/') && /^src\/providers\/[^/]+\//.test(to),
    testsExempt: true,
    reason: 'features know providers by contract and registry, never one by name',
  },
  {
    name: 'provider-purity',
    refuses: (from, to) => from.startsWith('src/providers/') && /^src\/platform\/(db|clock)[./-]/.test(to),
    testsExempt: true,
    reason: 'a provider never sees the database or the clock: pipeline stores, the caller passes the time',
  },
  {
    name: 'pure-forms',
    refuses: (from, to) =>
      /^src\/features\/.*\bform[12]\.ts$/.test(from) && /([/-]store\.ts$|^src\/platform\/db[./-])/.test(to),
    testsExempt: true,
    reason: 'form1.ts and form2.ts never fetch: both present the same read model',
  },
  {
    name: 'one-fetch',
    refuses: (from, to) => isShipped(from) && !OUTBOUND.test(from) && to === 'npm:undici',
    testsExempt: true,
    reason: 'requests leave only through platform/outbound, where limits and address checks are',
  },
  {
    name: 'one-fetch',
    refuses: (from, to, typeOnly) => /^src\/(features|providers)\//.test(from) && NETWORK_MODULE.test(to) && !typeOnly,
    testsExempt: true,
    reason: 'requests leave only through platform/outbound, where limits and address checks are',
  },
  {
    name: 'one-mailer',
    refuses: (from, to) => isShipped(from) && !from.startsWith('src/platform/mail/') && to === 'npm:nodemailer',
    testsExempt: true,
    reason: 'mail leaves only through platform/mail, where its limits are and what may be said of a failure',
  },
  {
    name: 'schema-makers',
    refuses: (from, to, typeOnly) => isShipped(from) && /^npm:typebox($|\/(compile|type|value)$)/.test(to) && !typeOnly,
    testsExempt: true,
    reason: "schemas are made with platform/json-schema.ts: loading TypeBox's own makers takes 11 MB of every process",
  },
  {
    name: 'node-http',
    refuses: (from, to, typeOnly) => isShipped(from) && to === 'node:http' && !typeOnly,
    testsExempt: true,
    reason: "use platform/node-http.ts: an import of node:http loads Node's web client, 7 MB of every process",
  },
  {
    name: 'environment',
    refuses: (from, to) => isShipped(from) && !READS_ENVIRONMENT.test(from) && to === 'node:process',
    testsExempt: true,
    reason: 'the environment is read once, in config.ts and main.ts',
  },
];

type CodeRule = {
  name: string;
  appliesTo: RegExp;
  except: RegExp;
  /** Looked for in the source without its comments and texts. */
  refuses: RegExp;
  testsExempt: boolean;
  reason: string;
};

export const codeRules: readonly CodeRule[] = [
  {
    name: 'environment',
    appliesTo: /^src\//,
    except: READS_ENVIRONMENT,
    refuses: /\bprocess\s*\??\.?\s*(\.\s*env\b|\[)|\}\s*=\s*process\b(?!\s*\.)/g,
    testsExempt: true,
    reason: 'the environment is read once, in config.ts and main.ts',
  },
  {
    name: 'one-fetch',
    appliesTo: /^src\//,
    except: OUTBOUND,
    refuses: /(?<=\.\.\.|[^.\w$]|^)fetch\s*\(|\bglobalThis\s*\.\s*fetch\b/g,
    testsExempt: true,
    reason: 'requests leave only through platform/outbound, where limits and address checks are',
  },
  {
    name: 'sql-in-store',
    appliesTo: /^src\/features\//,
    except: /[/-]store\.ts$/,
    refuses: /\.\s*query\s*[(<]/g,
    testsExempt: true,
    reason: 'all SQL of a feature stands in its store.ts, or in NAME-store.ts where it owns several tables',
  },
  {
    name: 'named-services',
    appliesTo: /^src\/features\//,
    except: NOTHING,
    refuses: /:\s*Services\b(?!\s*\[)/g,
    testsExempt: true,
    reason: "a function names the services that it uses: Pick<Services, 'clock' | 'db'>",
  },
  {
    name: 'one-comparison',
    appliesTo: /^src\//,
    except: /^src\/platform\/crypto\/is-same-secret\.ts$/,
    refuses: /\btimingSafeEqual\b/g,
    testsExempt: true,
    reason: 'secrets are compared only by platform/crypto/is-same-secret.ts, which does not reveal their length either',
  },
  {
    name: 'pure-domain',
    appliesTo: /^src\/domain\//,
    except: NOTHING,
    refuses: /\bDate\s*\.\s*now\b|\bnew\s+Date\s*(\(\s*\)|;)|\bMath\s*\.\s*random\b|\b(performance|crypto)\s*\.\s*\w/g,
    testsExempt: true,
    reason: 'the domain has no clock and no randomness: both are passed in',
  },
  {
    name: 'assert-every',
    appliesTo: /^test\/|\.test\.ts$/,
    except: NOTHING,
    refuses: EVERY_IN_ASSERT,
    testsExempt: false,
    reason: 'every() is true for an empty list: use assertEvery of test/support/assert-every.ts, which fails on one',
  },
];

type FileNameRule = { name: string; refuses: RegExp; reason: string };

export const fileNameRules: readonly FileNameRule[] = [
  {
    name: 'no-grab-bag',
    refuses: /(^|\/)(utils?|helpers?|types|common|misc)(\.[a-z.]*)?\.ts$/,
    reason: 'a file is named by its main export; grab bags become knots that everything imports',
  },
  {
    name: 'kebab-case',
    refuses: /^(?!([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*\.ts$)/,
    reason: 'files and folders are lower case with hyphens, so that they are the same on every disk',
  },
];

/** Shipped files only, tests and generated files apart: past this nobody reads a file to its end. */
export const MAX_FILE_LINES = 400;
export const GENERATED_FILE = /(^|\/)generated\/|\.(generated|gen)\.ts$/;

export function readFeature(file: string): string | null {
  return /^src\/features\/([^/]+\/[^/]+)\//.exec(file)?.[1] ?? null;
}

/** -1 outside of the features; a folder that is not a group comes after all of them. */
function readGroupOrder(file: string): number {
  const group = readFeature(file)?.split('/')[0];
  if (group === undefined) return -1;
  const order = featureGroups.indexOf(group);
  return order === -1 ? featureGroups.length : order;
}

function readSyncFolder(file: string): string | null {
  return /^src\/features\/clouds\/sync\/([^/]+)\//.exec(file)?.[1] ?? null;
}

/** -1 for files in no folder of clouds/sync; a folder that is not listed comes after all of them. */
function readSyncOrder(file: string): number {
  const folder = readSyncFolder(file);
  if (folder === null) return -1;
  const order = syncFolders.indexOf(folder);
  return order === -1 ? syncFolders.length : order;
}

function isOtherFeature(from: string, to: string): boolean {
  const target = readFeature(to);
  return from.startsWith('src/features/') && target !== null && target !== readFeature(from);
}

function isShipped(file: string): boolean {
  return file.startsWith('src/');
}
