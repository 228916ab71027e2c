import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseFit } from './parse-fit.ts';

const MINUTE = 60;
/** 2021-09-08T01:46:40Z. */
const FIRST_S = 1_000_000_000;
const FIRST_MS = Date.UTC(1989, 11, 31) + FIRST_S * 1_000;
/** The local type 0 becomes a record with the time and a heart rate. */
const RECORD = [0x40, 0, 0, 20, 0, 2, 253, 4, 0x86, 3, 1, 0x02];

function makeFile(...messages: readonly (readonly number[])[]): Buffer {
  const body = Buffer.from(messages.flat());
  const header = Buffer.from([12, 0x20, 0, 0, 0, 0, 0, 0, 0x2e, 0x46, 0x49, 0x54]);
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body, Buffer.alloc(2)]);
}

function u32(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24];
}

const timesOf = (file: Buffer) => parseFit(file).records.map(({ time }) => ((time ?? Number.NaN) - FIRST_MS) / 1_000);

describe('parseFit', () => {
  it('reads big-endian messages', () => {
    const definition = [0x40, 0, 1, 0, 20, 2, 253, 4, 0x86, 2, 2, 0x84];
    const { records } = parseFit(makeFile(definition, [0, ...u32(FIRST_S).reverse(), 0x0b, 0xb8]));
    assert.deepEqual(records[0], {
      time: FIRST_MS,
      latitude: null,
      longitude: null,
      altitudeM: 100,
      bpm: null,
      distanceM: null,
    });
  });

  it('returns null for values that are not given, for lists and for other types', () => {
    const fields = [253, 4, 0x86, 3, 1, 0x02, 0, 8, 0x85, 1, 4, 0x88];
    const [record] = parseFit(
      makeFile([0x40, 0, 0, 20, 0, 4, ...fields], [0, ...u32(0xffff_ffff), 0xff, ...u32(1), ...u32(2), ...u32(3)]),
    ).records;
    assert.deepEqual([record?.time, record?.bpm, record?.latitude, record?.longitude], [null, null, null, null]);
  });

  it('adds compressed times to the last one, also across the rollover', () => {
    const short = [0x41, 0, 0, 20, 0, 1, 3, 1, 0x02];
    const offset = (seconds: number) => 0xa0 | ((FIRST_S + seconds) % 32); // local type 1
    const messages = [5, 31, 40].map((seconds) => [offset(seconds), 120]);
    assert.deepEqual(timesOf(makeFile(RECORD, short, [0, ...u32(FIRST_S), 120], ...messages)), [0, 5, 31, 40]);
    assert.deepEqual(timesOf(makeFile(short, [offset(1), 120])), [Number.NaN]);
  });

  it('skips fields that an app of the device has defined', () => {
    const definition = [0x60, 0, 0, 20, 0, 1, 253, 4, 0x86, 1, 0, 3, 0];
    const messages = [0, MINUTE].map((seconds) => [0, ...u32(FIRST_S + seconds), 9, 9, 9]);
    assert.deepEqual(timesOf(makeFile(definition, ...messages)), [0, MINUTE]);
  });

  it('names sport and writer', () => {
    const { sessions, writer } = parseFit(
      makeFile(
        [0x40, 0, 0, 0, 0, 2, 1, 2, 0x84, 8, 6, 0x07],
        [0, 1, 0, 0x45, 0x64, 0x67, 0x65, 0, 0x41],
        [...[0x41, 0, 0, 18, 0, 2, 5, 1, 0, 6, 1, 0], ...[1, 10, 20]],
      ),
    );
    assert.equal(writer, 'garmin Edge');
    assert.equal(sessions[0]?.sport, 'strength_training');
  });

  it('throws for a file that is cut off anywhere', () => {
    const file = makeFile(RECORD, [0, ...u32(FIRST_S), 120]);
    for (let size = 0; size < file.length - 2; size += 1) {
      assert.throws(() => parseFit(file.subarray(0, size)), Error, `${size} bytes`);
      const shorter = Buffer.from(file);
      shorter.writeUInt32LE(Math.max(0, size - 12), 4);
      if (size > 12 && size !== 12 + RECORD.length) assert.throws(() => parseFit(shorter), /cut off/);
    }
  });

  it('throws for more messages than a recording can have, before they fill the memory', () => {
    const empty = [0x40, 0, 0, 20, 0, 0];
    const file = makeFile(empty, new Array<number>(700_000).fill(0));
    assert.throws(() => parseFit(file), /too many messages/);
  });

  it('returns or throws an Error for any bytes', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % 256;
    };
    for (let round = 0; round < 300; round += 1) {
      const noise = Array.from({ length: 400 }, (_, at) => (at % 3 === 0 ? random() % 4 : random()));
      try {
        parseFit(makeFile(RECORD, noise));
      } catch (error) {
        assert.match((error as Error).message, /no definition|cut off/);
      }
    }
  });
});
