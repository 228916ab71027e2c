import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProviderAnswerError } from './contract.ts';
import { parseJson, parseJsonBytes } from './parse-json.ts';
import { collectRecords } from './provider-records.ts';
import { readFlag, readId, readList, readNumber, readPart, readText, required } from './read-json.ts';
import {
  offsetAt,
  parseMoment,
  readDate,
  readEpochSeconds,
  readLastingMs,
  readOffset,
  readOffsetNumber,
  readZone,
} from './read-time.ts';
import { readOptional } from './unreadable-fields.ts';

describe('reading provider responses', () => {
  it('returns null for a missing field and keeps a zero', () => {
    const item = { none: null, zero: 0, off: false, empty: '' };
    for (const name of ['none', 'absent']) {
      assert.equal(readNumber(item, name), null);
      assert.equal(readText(item, name), null);
      assert.equal(readFlag(item, name), null);
      assert.equal(readId(item, name), null);
      assert.equal(readPart(item, name), null);
      assert.deepEqual(readList(item, name), []);
    }
    assert.equal(readNumber(item, 'zero'), 0);
    assert.equal(readFlag(item, 'off'), false);
    assert.equal(readText(item, 'empty'), '');
    assert.equal(required(0, 'zero'), 0);
  });

  it('refuses nonsense', () => {
    const item = { text: '7', number: 7, list: {}, part: [], nan: Number.NaN, big: 2 ** 53, half: 0.5, entry: [1] };
    assert.throws(() => readNumber(item, 'text'), ProviderAnswerError);
    assert.throws(() => readNumber(item, 'nan'), ProviderAnswerError);
    assert.throws(() => readText(item, 'number'), ProviderAnswerError);
    assert.throws(() => readFlag(item, 'number'), ProviderAnswerError);
    assert.throws(() => readList(item, 'list'), ProviderAnswerError);
    assert.throws(() => readList(item, 'entry'), ProviderAnswerError);
    assert.throws(() => readPart(item, 'part'), ProviderAnswerError);
    assert.throws(() => readId(item, 'big'), ProviderAnswerError);
    assert.throws(() => readId(item, 'half'), ProviderAnswerError);
    assert.throws(() => required(null, 'it'), ProviderAnswerError);
  });

  it('keeps every digit of a long integer and no other text', () => {
    assert.deepEqual(
      parseJson('{"id":9007199254740993,"old":-9007199254740993,"small":12,"x":0.1234567890123456789}'),
      {
        id: '9007199254740993',
        old: '-9007199254740993',
        small: 12,
        x: 0.12345678901234568,
      },
    );
    assert.deepEqual(parseJson('{"a":"9007199254740993"}'), { a: '9007199254740993' });
    assert.throws(() => parseJsonBytes(Buffer.from('{"a":')), ProviderAnswerError);
  });
});

describe('reading records one by one', () => {
  const read = (items: readonly unknown[]) => {
    const records = collectRecords();
    records.each(items, (item) => {
      const date = required(readDate(item, 'day'), 'day');
      records.daily('steps', date, readNumber(item, 'steps'), 'count');
      records.daily('distance', date, readNumber(item, 'meters'), 'm');
    });
    const { daily, unreadable } = records.records();
    return { daily: daily.map(({ date, value }) => [date, value]), unreadable: Object.fromEntries(unreadable) };
  };

  it('drops only a bad field or a record without its date, and counts both', () => {
    const items = [
      { day: '2026-03-01', steps: '7', meters: 5 },
      { day: 3, steps: 7 },
      null,
      { day: '2026-03-02', steps: 8 },
    ];
    assert.deepEqual(read(items), {
      daily: [
        ['2026-03-01', 5],
        ['2026-03-02', 8],
      ],
      unreadable: { steps: 1, day: 1, record: 2 },
    });
  });

  it('does not count a missing field', () => {
    assert.deepEqual(read([{ day: '2026-03-01', steps: null }]), { daily: [], unreadable: {} });
  });

  it('drops a part whose own fields are incomplete, and is strict again after the record', () => {
    const records = collectRecords();
    const parts: unknown[] = [];
    records.each([{ stages: [{}] }], (item) => {
      const starts = () => readList(item, 'stages').map((stage) => required(readNumber(stage, 'start'), 'start'));
      parts.push(readOptional('stages', starts));
    });
    assert.deepEqual(parts, [null]);
    assert.deepEqual([...records.records().unreadable], [['stages', 1]]);
    assert.throws(() => readNumber({ a: '7' }, 'a'), ProviderAnswerError);
  });

  it('rethrows our own errors', () => {
    const fail = () => {
      throw new TypeError('ours');
    };
    assert.throws(() => collectRecords().each([{}], fail), TypeError);
    assert.throws(() => readNumber({ a: '7' }, 'a'), ProviderAnswerError);
  });
});

describe('reading times', () => {
  it('reads a moment with its offset', () => {
    assert.deepEqual(parseMoment('2026-03-01T23:10:30.000+01:00', 'it'), {
      ms: Date.parse('2026-03-01T22:10:30Z'),
      offsetMinutes: 60,
    });
    assert.equal(parseMoment('2026-03-01T23:10:30Z', 'it').offsetMinutes, 0);
    assert.equal(parseMoment('2026-03-01T23:10:30-03:30', 'it').offsetMinutes, -210);
  });

  it('rejects an invalid time', () => {
    for (const text of ['2026-03-01T23:10:30', '2026-03-01', '2026-13-01T00:00:00Z', 'now', '1772434510'])
      assert.throws(() => parseMoment(text, text), ProviderAnswerError);
  });

  it('reads the less common forms of a moment', () => {
    for (const text of ['2026-03-01T22:10Z', '2026-03-01T23:10+0100', '2026-03-01T23:10:00.000+0100'])
      assert.equal(parseMoment(text, text).ms, Date.parse('2026-03-01T22:10:00Z'), text);
    assert.equal(parseMoment('2024-02-29T12:00+0000', 'a leap day').ms, Date.parse('2024-02-29T12:00:00Z'));
  });

  it('rejects a moment that does not exist, in every form', () => {
    const times = ['2026-02-30T12:00', '2026-02-29T12:00', '2026-04-31T12:00', '2026-06-00T12:00', '2026-03-01T24:00'];
    for (const time of times)
      for (const end of ['Z', ':00Z', ':00+01:00', '+0100', ':00.5+0100'])
        assert.throws(() => parseMoment(`${time}${end}`, time), ProviderAnswerError, `${time}${end}`);
  });

  it('rejects an offset that does not exist, in every form', () => {
    for (const offset of ['+24:00', '-2400', '+01:60', '+0175', '-99:99']) {
      assert.throws(() => readOffset({ offset }, 'offset'), ProviderAnswerError, offset);
      for (const time of ['2026-03-01T12:00', '2026-03-01T12:00:00'])
        assert.throws(() => parseMoment(`${time}${offset}`, offset), ProviderAnswerError, `${time}${offset}`);
    }
  });

  it('rejects numbers that are not a time, offset or duration', () => {
    assert.equal(readEpochSeconds({ at: 1_772_434_510 }, 'at'), 1_772_434_510_000);
    assert.equal(readOffsetNumber({ ahead: -3_600 }, 'ahead', 60), -60);
    assert.ok(Object.is(readOffsetNumber({ ahead: -1 }, 'ahead', 60), 0));
    assert.equal(readLastingMs({ lasted: 0.5 }, 'lasted', 1_000), 500);
    assert.throws(() => readEpochSeconds({ at: 1e300 }, 'at'), ProviderAnswerError);
    assert.throws(() => readOffsetNumber({ ahead: 86_400 }, 'ahead', 60), ProviderAnswerError);
    for (const lasted of [-1, 1e300])
      assert.throws(() => readLastingMs({ lasted }, 'lasted', 1_000), ProviderAnswerError);
  });

  it('reads offsets, without a negative zero', () => {
    assert.deepEqual(
      ['Z', '+00:00', '-00:00', '+0530', '-07:00'].map((text) => readOffset({ text }, 'text')),
      [0, 0, 0, 330, -420],
    );
    assert.throws(() => readOffset({ it: 'UTC' }, 'it'), ProviderAnswerError);
  });

  it('returns the offset of a zone at a time', () => {
    assert.equal(offsetAt('Europe/Berlin', Date.parse('2026-03-29T00:59:59Z')), 60);
    assert.equal(offsetAt('Europe/Berlin', Date.parse('2026-03-29T01:00:00Z')), 120);
    assert.equal(offsetAt('Asia/Kathmandu', 0), 330);
  });

  it('uses the user’s zone if the provider names an unknown one', () => {
    assert.equal(readZone({ zone: 'America/Denver' }, 'zone', 'Europe/Berlin'), 'America/Denver');
    assert.equal(readZone({ zone: 'Mars/Olympus' }, 'zone', 'Europe/Berlin'), 'Europe/Berlin');
    assert.equal(readZone({}, 'zone', 'Europe/Berlin'), 'Europe/Berlin');
  });

  it('rejects a date that does not exist', () => {
    assert.throws(() => readDate({ day: '2026-02-30' }, 'day'), ProviderAnswerError);
    assert.equal(readDate({ day: '2024-02-29' }, 'day'), '2024-02-29');
  });
});
