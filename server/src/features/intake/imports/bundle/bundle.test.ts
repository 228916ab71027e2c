import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { batchLines } from './batch-lines.ts';
import { checkBundle, readBundle } from './check-bundle.ts';
import { findJsonFault } from './find-json-fault.ts';
import type { LineOf } from './line-schemas.ts';
import { mapWorkout } from './map-sessions.ts';
import { openBundle } from './open-bundle.ts';
import { MAX_LINE_BYTES } from './read-lines.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const START = Date.parse('2026-03-09T08:00:00Z');

const header = {
  line: 'header',
  format: 'tributary-bundle',
  version: 2,
  user_id: 'a',
  reference_id: 'b',
  environment: 'live',
};
const user = {
  line: 'user',
  time_zones: [{ valid_from: null, zone: 'Europe/Berlin' }],
  profile: {},
  metadata: {},
  consolidation: null,
};
const device = (number: number) => ({
  line: 'device',
  device: number,
  id: `0190a000-0000-7000-8000-00000000000${number}`,
  provider: 'apple_health',
  transport: 'sdk',
  device_class: 'wrist',
  identity: null,
  name: 'Watch',
  model: null,
  os_version: null,
  observed_zone: null,
  connected_at: START,
  last_sync_at: null,
});
const samples = (number: number, count = 2, fields: object = {}) => ({
  line: 'samples',
  device: number,
  metric: 'heart_rate',
  unit: 'bpm',
  utc_offset_minutes: 60,
  recording_method: 'automatic',
  start: Array.from({ length: count }, (_, index) => START + index * 1_000),
  value: Array.from({ length: count }, () => 60),
  ...fields,
});

function write(...lines: object[]): string {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ line: 'end', lines: lines.length, sha256 })}\n`;
}

/** In small pieces, so that lines begin and end within them. */
async function* chunksOf(content: string | Uint8Array, size = 100): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const check = (content: string | Uint8Array, size?: number) => checkBundle(chunksOf(content, size), NOW);

describe('checkBundle', () => {
  const whole = write(header, user, device(1), samples(1), samples(1, 1, { start: [START + 9_000] }));
  const lines = whole.trimEnd().split('\n');
  const withLine = (index: number, change: (line: string) => string) =>
    `${lines.map((line, at) => (at === index ? change(line) : line)).join('\n')}\n`;

  it('counts the records of a whole bundle', async () => {
    const { records, rejected, devices } = await check(whole);
    assert.deepEqual([records, rejected, devices.length], [3, 0, 1]);
  });

  const cases: readonly [name: string, content: string | Uint8Array, message: RegExp][] = [
    ['that ends between lines', `${lines.slice(0, 4).join('\n')}\n`, /line 5, column 1: the file ends early/],
    ['that ends within a line', whole.slice(0, -9), /line 6, column \d{2,}: the file ends early, within this line/],
    [
      'with a damaged line',
      withLine(3, (line) => line.replace('[', '[nope,')),
      /line 4, column \d{2,}: the line is not valid JSON/,
    ],
    ['with a changed value', withLine(3, (line) => line.replace('60]', '61]')), /checksum/],
    ['without one of its lines', `${lines.toSpliced(4, 1).join('\n')}\n`, /4 lines before its end, and 5 were written/],
    [
      'with a wrong type',
      withLine(3, (line) => line.replace('"device":1', '"device":"1"')),
      /line 4, column 1: device must be/,
    ],
    ['of a later version', write({ ...header, version: 9 }, user), /line 1, column 1: .*version 9.*Update/],
    ['with an unknown line', withLine(3, () => '{"line":"mood"}'), /line 4, column 1: .*type "mood" are not known/],
    [
      'with a text that cannot be stored',
      write(header, user, { ...device(1), name: 'a\u0000' }),
      /line 3, column 1: name/,
    ],
    [
      'with an unknown device',
      write(header, user, samples(2)),
      /line 3, column 1: no line before describes the device 2/,
    ],
    [
      'with more devices than anyone has',
      write(header, user, ...Array.from({ length: 1_001 }, (_, index) => ({ ...device(1), device: index + 1 }))),
      /line 1003, column 1: a bundle has at most 1000 devices/,
    ],
    ['that begins with another line', write(user, header), /the first line of a bundle is its header/],
    ['twice in one file', whole + whole, /line 7, column 1: more lines follow/],
    [
      'that is not UTF-8',
      Buffer.concat([Buffer.from(`${lines[0]}\n`), Buffer.from([0xff, 0x0a])]),
      /line 2: the text is not UTF-8/,
    ],
  ];
  for (const [name, content, message] of cases)
    it(`refuses one ${name}`, () => assert.rejects(check(content), message));

  it('refuses a line without an end, and reads no more of it than a line can have', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${lines[0]}\n`);
      for (const piece = Buffer.alloc(1_048_576, 'x'); ; sent += piece.length) yield piece;
    }
    await assert.rejects(checkBundle(endless(), NOW), /line 2, column 7500001: has more than 7500000 bytes/);
    assert.ok(sent < MAX_LINE_BYTES + 1_048_576);
  });

  it('counts impossible records by line and unknown metrics by name', async () => {
    const content = write(
      header,
      user,
      device(1),
      samples(1, 3, { value: [60, 999, 60] }),
      samples(1, 1, { unit: 'miles' }),
      samples(1, 2, { metric: 'aura' }),
      samples(1, 1, { metric: 'stress_score', unit: 'score', value: [40] }),
      samples(1, 1, { metric: 'sleep_score', unit: 'score', value: [40] }),
    );
    const { rejected, problems, skipped } = await check(content);
    assert.equal(rejected, 3);
    assert.deepEqual(
      problems.map(({ line }) => line),
      [4, 5, 8],
    );
    assert.match(problems[0]?.message ?? '', /^value\[1\] must be between/);
    assert.match(problems[2]?.message ?? '', /^metric sleep_score is computed by the service/);
    assert.match(problems[1]?.message ?? '', /does not accept the unit "miles"; use one of/);
    assert.deepEqual([...skipped], [['aura', 2]]);
  });
});

describe('openBundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  after(() => rmSync(folder, { recursive: true }));

  it('explains a path that is not a file', async () => {
    await assert.rejects(openBundle(folder, () => undefined).next(), { message: `${folder} cannot be read (EISDIR).` });
  });

  it('refuses a bomb before it has unpacked to more than 64 MiB', async () => {
    const path = join(folder, 'bomb.ndjson.gz');
    writeFileSync(path, gzipSync(Buffer.alloc(72 * 1_048_576, ' '), { level: 1 }));
    let unpacked = 0;
    const unpack = async () => {
      for await (const chunk of openBundle(path, () => undefined)) unpacked += chunk.length;
    };
    await assert.rejects(unpack(), /unpacks to more than 200 times its size/);
    assert.ok(unpacked > 60 * 1_048_576 && unpacked <= 64 * 1_048_576, String(unpacked));
  });
});

describe('mapWorkout', () => {
  const workout = {
    line: 'workout',
    device: 1,
    key: 'run',
    start: START,
    end: START + 3_600_000,
    sport_type: 'running',
  };
  const frame = { ...workout, utc_offset_minutes: 0, recording_method: 'active' };
  const map = (fields: object) => mapWorkout({ ...frame, ...fields } as LineOf<'workout'>, NOW.getTime());
  for (const [name, fields, message] of [
    ['a position off the globe', { route: [[START, 91, 13, null]] }, /^route\[0\] must be a possible position/],
    ['a position before its start', { route: [[START - 9_000_000, 52, 13, null]] }, /^route\[0\]/],
    ['a lap after its end', { laps: [{ start: START, end: START + 9_000_000 }] }, /^laps\[0\] must end/],
    ['a vendor id that cannot be stored', { recorded_by: { vendor: 'garmin', id: 'a\u0000' } }, /^recorded_by\.id/],
  ] as const)
    it(`rejects a workout with ${name}`, () => assert.match(String(map(fields)), message));
});

describe('batchLines', () => {
  it('keeps every line once, in batches of one device that are the same each time', async () => {
    const many = Array.from({ length: 20 }, (_, index) => samples((index % 2) + 1, 5_000));
    const content = write(header, user, device(1), device(2), ...many);
    const batch = () => Array.fromAsync(batchLines(readBundle(chunksOf(content, 65_536))));
    const batches = await batch();
    assert.equal(batches.flatMap(({ lines }) => lines).length, 20);
    assert.ok(batches.length > 4);
    for (const { device: number, lines } of batches)
      for (const line of lines) assert.ok(line.line !== 'baseline' && line.device === number);
    assert.deepEqual(await batch(), batches);
  });
});

describe('findJsonFault', () => {
  for (const [text, column] of [
    ['{"a":1,}', 8],
    ['{"a" 1}', 6],
    ['{"a":nope}', 7],
    ['{"a":tru', 9],
    ['[1,2', 5],
    ['x', 1],
    ['{"a":1}}', 8],
  ] as const)
    it(`of ${text} is column ${column}`, () => assert.equal(findJsonFault(text), column));
});
