// Benchmarks reading an Apple Health export: a synthetic file with heart rates, from bytes to batches, without the service.
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openImport, runImport, startPosition } from '../src/features/intake/imports/index.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';

const QUICK_MB = 50;
const FULL_MB = 1_000;
const START_MS = Date.UTC(2020, 0, 1);
const DEVICE =
  '&lt;&lt;HKDevice: 0x2834a1c20&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,1, software:11.0&gt;';

export async function benchImport(options: readonly string[]): Promise<string> {
  const sized = options.find((option) => option.startsWith('--mb='))?.slice('--mb='.length);
  const megabytes = Number(sized ?? (options.includes('--quick') ? QUICK_MB : FULL_MB));
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'));
  try {
    const path = join(folder, 'export.xml');
    await pipeline(Readable.from(generateExport(megabytes * 1_000_000)), createWriteStream(path));
    const opened = await openImport(path, { format: null, timezone: null, mapping: {} });
    let peakBytes = 0;
    const [startMs, before] = [performance.now(), process.cpuUsage()];
    const { records } = await runImport({
      read: opened.read,
      send: async () => {
        peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
        return { upload_id: '', accepted: 0, duplicates: 0, deleted: 0, rejected: [], rejected_count: 0 };
      },
      from: startPosition('bench'),
      positions: { save: () => undefined, remove: () => undefined },
      onProgress: () => undefined,
    });
    const seconds = (performance.now() - startMs) / 1_000;
    const cpuSeconds = process.cpuUsage(before).user / 1_000_000;
    const perSecond = (time: number) => Math.round(records / time).toLocaleString('en');
    const row = [
      String(Math.round(statSync(path).size / 1_000_000)),
      records.toLocaleString('en'),
      perSecond(seconds),
      perSecond(cpuSeconds),
      String(Math.round(peakBytes / 1_000_000)),
    ];
    const head = ['MB', 'records', 'records/s', 'records per CPU second', 'peak memory in MB'];
    return [describeMachine(), '', presentTable(head, [row]), ''].join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function* generateExport(bytes: number): Generator<string> {
  let size = 0;
  let text =
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE HealthData [\n<!ELEMENT HealthData EMPTY>\n]>\n<HealthData>\n';
  for (let index = 0; size < bytes; index += 1) {
    const time = new Date(START_MS + index * 60_000).toISOString();
    const date = `${time.slice(0, 10)} ${time.slice(11, 19)} +0100`;
    text += ` <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Apple Watch" sourceVersion="11.0" device="${DEVICE}" unit="count/min" creationDate="${date}" startDate="${date}" endDate="${date}" value="${60 + (index % 40)}"/>\n`;
    if (text.length < 65_536) continue;
    size += text.length;
    yield text;
    text = '';
  }
  yield `${text}</HealthData>\n`;
}
