// Benchmarks the import of an Apple Health export: reading a synthetic file without the service, and the whole import of a part
// of it with the command line.
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { generateExport } from './import/generate-export.ts';
import type { Measured } from './import/import-child.ts';
import { startBenchChild } from './support/bench-child.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';
import { readOption } from './support/read-option.ts';

const QUICK_MB = 50;
const FULL_MB = 1_000;
/** Storing takes many times as long as reading. */
const STORED_SHARE = 0.1;
const CHILDREN = join(import.meta.dirname, 'import');

export async function benchImport(options: readonly string[]): Promise<string> {
  const sized = readOption(options, 'mb');
  const megabytes = Number(sized ?? (options.includes('--quick') ? QUICK_MB : FULL_MB));
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'));
  try {
    const whole = await writeExport(join(folder, 'export.xml'), megabytes);
    const rows = [describe('read', whole, await readExport(whole))];
    if (!options.includes('--read')) {
      const part = await writeExport(join(folder, 'part.xml'), megabytes * STORED_SHARE);
      const { command, serviceCpuSeconds } = await importExport(part);
      rows.push(describe('import', part, command), [
        'service, in the import',
        ...['', '', ''],
        perSecond(command.records, serviceCpuSeconds),
        '',
      ]);
    }
    const head = ['', 'MB', 'records', 'records/s', 'records per CPU second', 'peak memory in MB'];
    return [describeMachine(), '', presentTable(head, rows), ''].join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeExport(path: string, megabytes: number): Promise<string> {
  await pipeline(Readable.from(generateExport(megabytes * 1_000_000)), createWriteStream(path));
  return path;
}

async function readExport(path: string): Promise<Measured> {
  const reader = await startBenchChild(join(CHILDREN, 'import-child.ts'));
  try {
    return await reader.call<Measured>('read', path);
  } finally {
    await reader.end();
  }
}

async function importExport(path: string) {
  const service = await startBenchChild(join(CHILDREN, 'service-child.ts'));
  const command = await startBenchChild(join(CHILDREN, 'import-child.ts'));
  try {
    const target = await service.call<{ userId: string; dataDir: string }>('start');
    const before = await service.readCpuSeconds();
    const measured = await command.call<Measured>('import', { path, ...target });
    return { command: measured, serviceCpuSeconds: (await service.readCpuSeconds()) - before };
  } finally {
    await command.end();
    await service.end();
  }
}

function describe(what: string, path: string, { records, seconds, cpuSeconds, peakMb }: Measured): string[] {
  const megabytes = Math.round(statSync(path).size / 1_000_000);
  const counts = [megabytes.toLocaleString('en'), records.toLocaleString('en')];
  return [what, ...counts, perSecond(records, seconds), perSecond(records, cpuSeconds), String(Math.round(peakMb))];
}

function perSecond(records: number, seconds: number): string {
  return Math.round(records / seconds).toLocaleString('en');
}
