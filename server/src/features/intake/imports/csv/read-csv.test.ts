import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readImport } from '../../../../../test/support/read-import.ts';
import type { CsvMapping } from './column-mapping.ts';

async function readValues(text: string, mapping: CsvMapping = {}) {
  const { items, rejected } = await readImport('a.csv', text, mapping);
  return { values: items.map(([, , item]) => (item as { value: number }).value), rejected };
}

describe('readCsv', () => {
  it('rejects a number with the other decimal mark than the mapping states', async () => {
    const comma = await readValues('time;weight\n2026-03-09;70.5\n2026-03-10;70,5\n2026-03-11;1.070,5\n', {
      decimal: ',',
    });
    assert.deepEqual(comma.values, [70.5, 1070.5]);
    assert.deepEqual(comma.rejected, ['line 2, column 2: "70.5" is not a number with the decimal mark ","']);
    const point = await readValues(
      'time;weight\n2026-03-09;70,5\n2026-03-10;70.5\n2026-03-11;1,070.5\n2026-03-12;1,070\n',
      {
        decimal: '.',
      },
    );
    assert.deepEqual(point.values, [70.5, 1070.5, 1070]);
    assert.deepEqual(point.rejected, ['line 2, column 2: "70,5" is not a number with the decimal mark "."']);
  });

  it('refuses a file with several columns for the time, unless a mapping names one', async () => {
    for (const header of ['date,time,weight', 'Start date,Start time,weight', 'time,timestamp,metric,value'])
      await assert.rejects(readImport('a.csv', `${header}\n2026-03-09,07:30,70\n`), /line 1, column 2: .* can both be/);
    await assert.rejects(
      readImport('a.csv', 'start,end date,end time,weight\n2026-03-09T07:00:00Z,2026-03-09,07:30,70\n'),
      /line 1, column 3: "end date" and "end time" can both be the end/,
    );
    const { values } = await readValues('date,time,weight\n2026-03-09,07:30,70\n', { time: 'date' });
    assert.deepEqual(values, [70]);
  });

  it('takes no column for the time that the mapping uses for something else', async () => {
    for (const [header, mapping] of [
      ['time,timestamp,weight', { end: 'timestamp' }],
      ['time,date,weight', { columns: { weight: { metric: 'weight' }, date: { metric: 'height' } } }],
    ] as const) {
      const { items, rejected } = await readImport('a.csv', `${header}\n2026-03-09T07:30:00Z,,70\n`, mapping);
      assert.deepEqual([items.length, rejected], [1, []]);
    }
    const { items } = await readImport(
      'a.csv',
      'timestamp,time,weight\n2026-03-09T08:00:00Z,2026-03-09T07:00:00Z,70\n',
      { end: 'timestamp' },
    );
    assert.partialDeepStrictEqual(items[0]?.[2], { start: '2026-03-09T07:00:00Z', end: '2026-03-09T08:00:00Z' });
  });

  it('refuses two columns with the same name in a file with one value per row', async () => {
    await assert.rejects(
      readImport('a.csv', 'time,metric,value,value\n2026-03-09,weight,70,80\n'),
      /line 1, column 4: column 3 has the same name, "value"/,
    );
  });

  it('rejects the total of several days', async () => {
    const { values, rejected } = await readValues(
      'start,end,steps\n2026-03-09,2026-03-15,70000\n2026-03-16,2026-03-16,9000\n2026-03-17,,8000\n' +
        '2026-03-18,2026-03-18T23:59:59,7000\n2026-03-19,2026-03-20T01:00:00,6000\n2026-03-21,late,5000\n',
    );
    assert.deepEqual(values, [9000, 8000, 7000]);
    const several =
      'a value of several days cannot be a daily value. State times with the days, or leave the end empty';
    assert.deepEqual(rejected, [
      `line 2, column 2: ${several}`,
      `line 6, column 2: ${several}`,
      'line 7, column 2: "late" is not a time such as 2026-01-31T07:05:09+01:00, or a day',
    ]);
  });

  it('reads units in round or square brackets, and spaces around them', async () => {
    const { items } = await readImport(
      'a.csv',
      'time,weight (lb) ,heart (old) rate,Heart Rate[bpm]\n2026-03-09T07:30:00Z,150,1,60\n',
    );
    assert.deepEqual(
      items.map(([, , item]) => item),
      [
        { metric: 'weight', start: '2026-03-09T07:30:00Z', value: 150, unit: 'lb' },
        { metric: 'heart_rate', start: '2026-03-09T07:30:00Z', value: 60, unit: 'bpm' },
      ],
    );
    for (const header of ['weight (kg', 'weight kg)']) {
      await assert.rejects(readImport('a.csv', `time,${header}\n2026-03-09,70\n`), /no column is a metric/);
    }
  });

  it('reads cells of half a million characters within two seconds of CPU', async () => {
    const length = 500_000;
    const headers = [' ', '(', ')', '[)'].map((text) => `"x${text.repeat(length / text.length)}x"`);
    const before = process.cpuUsage();
    for (const header of headers)
      assert.deepEqual((await readValues(`time,weight,${header}\n2026-03-09,70,\n`)).values, [70]);
    const { rejected } = await readValues(`time,weight\n2026-03-09,${'1'.repeat(length)}x\n`);
    assert.match(rejected[0] ?? '', /^line 2, column 2: "1{40}" is not a number$/);
    const { user } = process.cpuUsage(before);
    assert.ok(user < 2_000_000, `${user} µs of CPU`);
  });
});
