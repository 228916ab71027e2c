// Fills the tables of docs/mobile.md from the adapters of @tributary/mobile. The rest of the page is written by hand.
import { readFile } from 'node:fs/promises';
import { table } from './generate-pages.ts';

type HealthKitType = { readonly name: string; readonly kind: string; readonly metric: string };
type HealthMethod = { readonly method: string; readonly type: string };
type RecordType = {
  readonly recordType: string;
  readonly kind: string;
  readonly values: readonly { readonly path: string; readonly metric: string }[];
};

const PAGE = new URL('../../docs/mobile.md', import.meta.url);
const ADAPTERS = new URL('../../sdk/mobile/src/adapters/', import.meta.url);

export async function writeMobilePage(): Promise<string> {
  const page = await readFile(PAGE, 'utf8');
  const tables = [...(await listHealthKit()), '', ...(await listHealthConnect())].join('\n');
  return page.replace(/<!-- types -->[\s\S]*<!-- \/types -->/, () => `<!-- types -->\n${tables}\n<!-- /types -->`);
}

async function listHealthKit(): Promise<string[]> {
  const types = await load<HealthKitType[]>('healthkit-table.ts', 'HEALTHKIT_TYPES');
  const methods = await load<HealthMethod[]>('react-native-health-table.ts', 'HEALTH_METHODS');
  const methodOf = (name: string) => {
    const found = methods.find(({ type }) => type === name || (type === 'BloodPressure' && name.startsWith(type)));
    return found === undefined ? 'not offered' : `\`${found.method}\``;
  };
  const rows = types.map(({ name, metric, kind }) => [
    `\`${name}\``,
    kind === 'sleep' ? 'sleeps with stages' : `\`${metric}\``,
    methodOf(name),
  ]);
  return [
    '### HealthKit',
    '',
    'Without the prefixes `HKQuantityTypeIdentifier` and `HKCategoryTypeIdentifier`. `@kingstinct/react-native-healthkit` offers every type.',
    '',
    ...table(
      ['Type', 'Metric', '`react-native-health`'],
      [...rows, ['`HKWorkoutType`', 'workouts', methodOf('Workout')]],
    ),
  ];
}

async function listHealthConnect(): Promise<string[]> {
  const records = await load<RecordType[]>('health-connect-table.ts', 'RECORD_TYPES');
  const unmapped = await load<Record<string, string>>('health-connect-table.ts', 'UNMAPPED_RECORDS');
  const rows = records.flatMap(({ recordType, kind, values }) =>
    values.length === 0
      ? [[`\`${recordType}\``, '–', kind === 'sleep' ? 'sleeps with stages' : 'workouts']]
      : values.map(({ path, metric }) => [
          `\`${recordType}\``,
          path === '' ? 'its length' : `\`${path}\``,
          `\`${metric}\``,
        ]),
  );
  const without = Object.entries(unmapped).map(([name, reason]) => [`\`${name}\``, '–', `not mapped: ${reason}`]);
  return ['### Health Connect', '', ...table(['Record', 'Value', 'Metric'], [...rows, ...without])];
}

/** Loaded by address: the package is not part of the server. */
async function load<Value>(file: string, name: string): Promise<Value> {
  const module = (await import(new URL(file, ADAPTERS).href)) as Record<string, unknown>;
  return module[name] as Value;
}
