// tributary inspect: prints stored samples and daily values.
import { COMMAND } from '../command-name.ts';
import { callOperator } from './operator-client.ts';
import { CommandError, printJson, printTable, type Terminal } from './terminal.ts';

export type InspectOptions = {
  user: string;
  metric?: string;
  date?: string;
  device?: string;
  samples?: boolean;
  days?: boolean;
  json?: boolean;
};

type Device = { number: number; id: string | null; provider: string | null; device_class: string | null };
type Sample = {
  start: string;
  end: string;
  value: number;
  unit: string;
  offset_minutes: number;
  recording_method: string;
};
type Block = {
  metric: string;
  unit: string | null;
  device: Device;
  from: string;
  to: string;
  count: number;
  min: number;
  max: number;
  sum: number;
  revision: number;
  bytes: number;
  problem: string | null;
  samples: Sample[] | null;
};
type Cell = {
  metric: string;
  device: Device | null;
  value: number;
  unit: string | null;
  note: string;
  from_devices: number[];
};

export async function inspect(terminal: Terminal, options: InspectOptions): Promise<void> {
  if (!options.days) return inspectBlocks(terminal, options);
  if (options.date === undefined)
    throw new CommandError('--days shows one day. Add --date, for example --date 2026-01-31.');
  if (options.samples || options.device !== undefined)
    throw new CommandError('--days can only be combined with --date and --metric.');
  return inspectDay(terminal, options, options.date);
}

async function inspectBlocks(terminal: Terminal, options: InspectOptions): Promise<void> {
  const blocks: Block[] = [];
  for (let after: string | null = null; ; ) {
    const page: { data: Block[]; next: string | null } = await callOperator(
      terminal,
      'GET',
      pathOf(options, 'blocks', { device: options.device, samples: options.samples ? 'true' : undefined, after }),
    );
    // Print each page immediately: a year of samples may not fit into memory.
    if (options.samples && !options.json) for (const block of page.data) printSamples(terminal, block);
    else blocks.push(...page.data);
    after = page.next;
    if (after === null) break;
  }
  if (options.json) return printJson(terminal, blocks);
  if (options.samples) return;
  if (blocks.length === 0) terminal.stdout('No sample blocks.\n');
  else if (options.metric === undefined) printSummary(terminal, options, blocks);
  else printBlocks(terminal, blocks);
}

/** One line per metric and device, because a week of one user has hundreds of blocks. */
function printSummary(terminal: Terminal, { user }: InspectOptions, blocks: readonly Block[]): void {
  const groups = Map.groupBy(blocks, (block) => `${block.metric} ${block.device.number}`);
  printTable(
    terminal,
    ['METRIC', 'DEVICE', 'FROM', 'TO', 'BLOCKS', 'SAMPLES', 'BYTES'],
    [...groups.values()].map((group) => [
      group[0]?.metric ?? '',
      group[0] === undefined ? '' : describeDevice(group[0].device),
      group.map(({ from }) => from).sort()[0] ?? '',
      group
        .map(({ to }) => to)
        .sort()
        .at(-1) ?? '',
      String(group.length),
      String(sumOf(group, ({ count }) => count)),
      String(sumOf(group, ({ bytes }) => bytes)),
    ]),
    ['BLOCKS', 'SAMPLES', 'BYTES'],
  );
  printTotal(terminal, blocks);
  const problems = blocks.filter(({ problem }) => problem !== null).length;
  if (problems > 0) terminal.stdout(`${problems} blocks cannot be read.\n`);
  terminal.stdout(`\nTo list the blocks of a metric: ${COMMAND} inspect --user ${user} --metric ID\n`);
}

function sumOf(blocks: readonly Block[], read: (block: Block) => number): number {
  return blocks.reduce((sum, block) => sum + read(block), 0);
}

function printTotal(terminal: Terminal, blocks: readonly Block[]): void {
  const samples = sumOf(blocks, ({ count }) => count);
  const bytes = sumOf(blocks, (block) => block.bytes);
  terminal.stdout(
    `\n${blocks.length} blocks, ${samples} samples, ${bytes} bytes: ${(bytes / samples).toFixed(2)} per sample.\n`,
  );
  const devices = new Map(blocks.map(({ device }) => [device.number, device]));
  for (const device of devices.values()) terminal.stdout(`${describeDevice(device)} is ${device.id ?? 'deleted'}\n`);
}

function printBlocks(terminal: Terminal, blocks: readonly Block[]): void {
  printTable(
    terminal,
    ['METRIC', 'DEVICE', 'FROM', 'TO', 'COUNT', 'MIN', 'MAX', 'SUM', 'UNIT', 'REVISION', 'BYTES', 'BYTES/SAMPLE'],
    blocks.map((block) => [
      block.metric,
      describeDevice(block.device),
      block.from,
      block.to,
      String(block.count),
      formatNumber(block.min),
      formatNumber(block.max),
      formatNumber(block.sum),
      block.unit ?? '-',
      String(block.revision),
      String(block.bytes),
      (block.bytes / block.count).toFixed(2),
    ]),
    ['COUNT', 'MIN', 'MAX', 'SUM', 'REVISION', 'BYTES', 'BYTES/SAMPLE'],
  );
  printTotal(terminal, blocks);
}

function printSamples(terminal: Terminal, block: Block): void {
  terminal.stdout(
    `${block.metric} of ${describeDevice(block.device)}, ${block.count} samples in ${block.bytes} bytes, revision ${block.revision}\n`,
  );
  if (block.samples === null) terminal.stdout(`  cannot be read: ${block.problem}\n`);
  else
    printTable(
      terminal,
      ['  START', 'END', 'VALUE', 'UNIT', 'OFFSET', 'METHOD'],
      block.samples.map((sample) => [
        `  ${sample.start}`,
        sample.end === sample.start ? '-' : sample.end,
        String(sample.value),
        sample.unit,
        formatOffset(sample.offset_minutes),
        sample.recording_method,
      ]),
      ['VALUE'],
    );
  terminal.stdout('\n');
}

async function inspectDay(terminal: Terminal, options: InspectOptions, date: string): Promise<void> {
  const { data } = await callOperator<{ data: Cell[] }>(terminal, 'GET', pathOf({ ...options, date }, 'days', {}));
  if (options.json) return printJson(terminal, data);
  if (data.length === 0) return terminal.stdout(`No values are stored for ${date}.\n`);
  const devices = new Map(data.flatMap(({ device }) => (device === null ? [] : [[device.number, device]])));
  printTable(
    terminal,
    ['METRIC', 'SOURCE', 'VALUE', 'NOTE'],
    data.map((cell) => [
      cell.metric,
      cell.device === null ? 'consolidated' : describeDevice(cell.device),
      formatNumber(cell.value),
      cell.device === null ? describeSources(cell, devices) : cell.note,
    ]),
    ['VALUE'],
  );
}

function describeSources({ unit, from_devices: from }: Cell, devices: ReadonlyMap<number, Device>): string {
  const names = from.map((number) => {
    const device = devices.get(number);
    return device === undefined ? `#${number}` : describeDevice(device);
  });
  return `${unit ?? '-'}, ${names.length === 0 ? 'computed' : `from ${names.join(', ')}`}`;
}

function pathOf(options: InspectOptions, what: string, more: Record<string, string | null | undefined>): string {
  const given = Object.entries({ metric: options.metric, date: options.date, ...more });
  const query = new URLSearchParams(given.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  return `/admin/users/${encodeURIComponent(options.user)}/${what}?${query}`;
}

function describeDevice({ number, provider, device_class: deviceClass }: Device): string {
  return provider === null ? `#${number} (deleted)` : `#${number} ${provider}/${deviceClass}`;
}

/** Hides rounding errors of sums. */
function formatNumber(value: number): string {
  return String(Number(value.toPrecision(12)));
}

function formatOffset(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
