import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FitBaseType, FitEncoder } from 'fit-file-parser/encoder';
import { makeZip, readImport } from '../../../../test/support/read-import.ts';
import { addPoint } from './activity-files/make-workout.ts';
import type { ImportWorkout } from './import-sink.ts';

const GPX = `<?xml version="1.0"?><gpx creator="Garmin Connect" xmlns:x="urn:x"><trk><name>Lake</name><type>running</type><trkseg>
<trkpt lat="52.0" lon="13.0"><ele>30</ele><time>2026-03-09T16:00:00Z</time><extensions><x:hr>120</x:hr></extensions></trkpt>
<trkpt lat="52.01" lon="13.0"><ele>50</ele><time>2026-03-09T16:10:00Z</time></trkpt></trkseg></trk></gpx>`;

const TCX = `<TrainingCenterDatabase><Activities><Activity Sport="Biking"><Id>2026-03-09T16:00:00Z</Id>
<Lap StartTime="2026-03-09T16:00:00Z"><TotalTimeSeconds>600</TotalTimeSeconds><DistanceMeters>5000</DistanceMeters><Calories>90</Calories>
<MaximumHeartRateBpm><Value>150</Value></MaximumHeartRateBpm>
<Track><Trackpoint><Time>2026-03-09T16:00:00Z</Time><HeartRateBpm><Value>110</Value></HeartRateBpm></Trackpoint>
<Trackpoint><Time>2026-03-09T16:10:00Z</Time></Trackpoint></Track></Lap><Creator><Name>Edge 530</Name></Creator></Activity></Activities></TrainingCenterDatabase>`;

describe('activity files', () => {
  it('reads a GPX track as a workout', async () => {
    const { format, items } = await readImport('a.gpx', GPX);
    const [[source, list, workout] = []] = items;
    assert.deepEqual([format, source, list], ['gpx', 'Garmin Connect', 'workouts']);
    const { distance_km, ...rest } = workout as { distance_km: number };
    assert.ok(Math.abs(distance_km - 1.112) < 0.001);
    assert.deepEqual(rest, {
      sport_type: 'running',
      name: 'Lake',
      start: '2026-03-09T16:00:00.000Z',
      end: '2026-03-09T16:10:00.000Z',
      duration_minutes: 10,
      elevation_gain_m: 20,
      heart_rate: { samples: [{ timestamp: '2026-03-09T16:00:00.000Z', bpm: 120 }] },
      recording_method: 'active',
    });
  });

  it('cuts a long name without leaving half an emoji', async () => {
    const long = GPX.replace('Garmin Connect', `${'x'.repeat(199)}😀`).replace('Lake', `${'x'.repeat(254)}😀`);
    const [[source = '', , workout] = []] = (await readImport('a.gpx', long)).items;
    const { name } = workout as { name: string };
    assert.deepEqual([source.length, source.isWellFormed()], [200, true]);
    assert.deepEqual([name.length, name.isWellFormed()], [255, true]);
  });

  it('reads times without an offset as UTC in GPX and in the zone of the import in TCX, not in that of the machine', async (t) => {
    const { TZ } = process.env;
    process.env.TZ = 'America/New_York';
    t.after(() => {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    });
    const startOf = async (name: string, content: string) =>
      (await readImport(name, content)).items.map(([, , item]) => (item as { start: string }).start);
    const withoutOffset = (text: string, digits = '') => text.replace(/(T\d\d:\d\d:\d\d)Z/g, `$1${digits}`);
    assert.deepEqual(await startOf('a.gpx', withoutOffset(GPX)), await startOf('a.gpx', GPX));
    for (const digits of ['', '.0000000'])
      assert.deepEqual(await startOf('a.tcx', withoutOffset(TCX, digits)), ['2026-03-09T15:00:00.000Z']);
  });

  it('takes an empty or damaged elevation for none', async () => {
    const riseOf = async (file: string) =>
      (await readImport('a.gpx', file)).items.map(([, , item]) => (item as ImportWorkout).elevation_gain_m);
    for (const damaged of ['<ele></ele>', '<ele>NaN</ele>'])
      assert.deepEqual(await riseOf(GPX.replace('<ele>30</ele>', damaged)), [0]);
    assert.deepEqual(await riseOf(GPX.replace(/<ele>[^<]*<\/ele>/g, '<ele></ele>')), [null]);
  });

  it('reads a TCX activity, with the totals of its laps', async () => {
    const { items } = await readImport('a.tcx', TCX);
    const [[source, , workout] = []] = items;
    assert.equal(source, 'Edge 530');
    assert.deepEqual(workout, {
      sport_type: 'Biking',
      name: null,
      start: '2026-03-09T16:00:00.000Z',
      end: '2026-03-09T16:10:00.000Z',
      duration_minutes: 10,
      distance_km: 5,
      elevation_gain_m: null,
      active_calories: 90,
      heart_rate: { max_bpm: 150, samples: [{ timestamp: '2026-03-09T16:00:00.000Z', bpm: 110 }] },
      recording_method: 'active',
    });
  });

  it('names line and column of invalid XML, and says that a truncated file ends early', async () => {
    await assert.rejects(
      readImport('bad.gpx', '<gpx>\n <trk attr=1></trk></gpx>'),
      /bad\.gpx, line 2, column \d+: invalid XML/,
    );
    await assert.rejects(readImport('cut.gpx', GPX.slice(0, 300)), /the file ends early/);
  });

  it('reads a FIT session with its heart rates', async () => {
    const { format, items } = await readImport('a.fit', makeFit());
    assert.equal(format, 'fit');
    const { start, end, sport_type, duration_minutes, distance_km, heart_rate } = (items[0]?.[2] ?? {}) as Record<
      string,
      unknown
    >;
    assert.deepEqual([start, end], ['2026-03-09T16:00:00.000Z', '2026-03-09T16:10:00.000Z']);
    assert.deepEqual([sport_type, duration_minutes, distance_km], ['running', 9, 2]);
    assert.deepEqual(heart_rate, {
      avg_bpm: 130,
      max_bpm: null,
      samples: [{ timestamp: '2026-03-09T16:00:00.000Z', bpm: 125 }],
    });
  });

  it('refuses a FIT file whose checksum does not match', async () => {
    const fit = makeFit();
    for (const at of [fit.length - 1, fit.length - 3, 12]) {
      const damaged = Buffer.from(fit);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      await assert.rejects(readImport('a.fit', damaged), /^\w*Error: a\.fit: .*(checksum|cannot be read)/);
    }
    const unsigned = Buffer.from(fit);
    unsigned.fill(0, fit.length - 2);
    assert.equal((await readImport('a.fit', unsigned)).items.length, 1, 'a writer may not compute it');
    await assert.rejects(readImport('a.fit', fit.subarray(0, -2)), /checksum/);
  });

  it('says why a file has nothing to import', async () => {
    const route = '<gpx><rte><rtept lat="1" lon="1"/></rte></gpx>';
    await assert.rejects(readImport('a.gpx', route), /a\.gpx: the file has no track.*Export the recorded activity/);
    const untimed = GPX.replace(/<time>.*?<\/time>/g, '');
    assert.match((await readImport('a.gpx', untimed)).rejected.join(), /a\.gpx: the track has no times/);
    const course = '<TrainingCenterDatabase><Courses/></TrainingCenterDatabase>';
    await assert.rejects(readImport('a.tcx', course), /a\.tcx: the file has no activity/);
  });

  it('refuses a track that would need too much memory', () => {
    const points = Array.from({ length: 604_800 }, (_, ms) => ({ ms }));
    assert.throws(
      () => addPoint(points, { ms: 0 }, 'a.gpx'),
      /a\.gpx: has a track with more than 604800 points\. Split it/,
    );
  });

  it('reads all activity files of an archive, and lists those that it cannot read', async () => {
    const { items, rejected } = await readImport(
      'many.zip',
      makeZip({
        'a/1.gpx': Buffer.from(GPX),
        'a/2.fit': Buffer.from('nothing'),
        'b/3.tcx': Buffer.from(TCX),
        'x.txt': Buffer.from(''),
      }),
    );
    assert.deepEqual(
      items.map(([, , , position]) => position),
      ['a/1.gpx', 'b/3.tcx'],
    );
    assert.match(rejected.join(), /^a\/2\.fit: this FIT file cannot be read/);
  });
});

function makeFit(): Buffer {
  const seconds = (text: string) => (Date.parse(text) - Date.UTC(1989, 11, 31)) / 1_000;
  const [start, end] = [seconds('2026-03-09T16:00:00Z'), seconds('2026-03-09T16:10:00Z')];
  const u32 = (number: number, value: number) => ({ number, size: 4, baseType: FitBaseType.Uint32, value });
  const u8 = (number: number, value: number) => ({ number, size: 1, baseType: FitBaseType.Uint8, value });
  const byte = (number: number, value: number) => ({ number, size: 1, baseType: FitBaseType.Enum, value });
  const encoder = new FitEncoder();
  encoder.writeMessage(0, [byte(0, 4), u32(4, start)]);
  encoder.writeMessage(20, [u32(253, start), u8(3, 125)]);
  encoder.writeMessage(18, [
    u32(253, end),
    u32(2, start),
    u32(7, 600_000),
    u32(8, 540_000),
    u32(9, 200_000),
    byte(5, 1),
    u8(16, 130),
  ]);
  return Buffer.from(encoder.close());
}

describe('CSV', () => {
  it('reads a column per metric, with units in the header and local times', async () => {
    const { items, rejected } = await readImport(
      'a.csv',
      'Date;Weight (lb);Body fat percentage;Mood\n2026-03-09 07:00;154,3;21,5;good\n2026-03-10;155;;\nyesterday;1;;\n2026-03-11;heavy;;\n',
    );
    assert.deepEqual(
      items.map(([, list, item]) => [list, item]),
      [
        ['samples', { metric: 'weight', start: '2026-03-09T07:00:00+01:00', value: 154.3, unit: 'lb' }],
        ['samples', { metric: 'body_fat_percentage', start: '2026-03-09T07:00:00+01:00', value: 21.5, unit: '%' }],
        ['daily', { date: '2026-03-10', metric: 'weight', value: 155, unit: 'lb' }],
      ],
    );
    assert.match(rejected[0] ?? '', /^line 4, column 1: "yesterday" is not a time/);
    assert.equal(rejected[1], 'line 5, column 2: "heavy" is not a number');
  });

  it('reads one value per row, and rejects rows with another unit', async () => {
    const { items, rejected } = await readImport(
      'b.csv',
      'time,metric,value,unit\n2026-03-09T07:00:00Z,weight,70,kg\n"2026-03-09T08:00:00Z",weight,11,pounds\n2026-03-09T08:00:00Z,luck,1,\n',
    );
    assert.equal(items.length, 1);
    assert.match(
      rejected[0] ?? '',
      /^line 3, column 4: weight does not accept the unit "pounds"; use one of kg, g, lb/,
    );
    assert.match(rejected[1] ?? '', /^line 4, column 2: "luck" is not a metric/);
  });

  it('rejects a row whose end is not a time', async () => {
    const { items, rejected } = await readImport(
      'a.csv',
      'time,end,metric,value\n2026-03-09T07:00:00Z,2026-03-09T07:10:00Z,steps,840\n2026-03-09T08:00:00Z,08.15,steps,90\n',
    );
    assert.equal(items.length, 1);
    assert.deepEqual(rejected, ['line 3, column 2: "08.15" is not a time such as 2026-01-31T07:05:09+01:00']);
  });

  it('rejects a row with more cells than the header: one of them may be half a number', async () => {
    const { items, rejected } = await readImport('a.csv', 'time,weight\n2026-03-09,70,5\n2026-03-10,71,\n2026-03-11\n');
    assert.deepEqual(
      items.map(([, , item]) => item),
      [{ date: '2026-03-10', metric: 'weight', value: 71, unit: 'kg' }],
    );
    assert.match(
      rejected.join(),
      /^line 2, column 3: the row has more cells than the header\. Put values that contain/,
    );
  });

  it('rejects numbers that are not decimal', async () => {
    const { items, rejected } = await readImport(
      'a.csv',
      'time,weight\n2026-03-09,0x46\n2026-03-10,0b1\n2026-03-11,7.1e1\n',
    );
    assert.equal(items.length, 1);
    assert.equal(rejected[0], 'line 2, column 2: "0x46" is not a number');
  });

  it('refuses a table with a quotation mark that is not closed', async () => {
    await assert.rejects(
      readImport('a.csv', 'time,weight\n2026-03-08,70\n"2026-03-09,70\n2026-03-10,71\n'),
      /^\w*Error: line 3: a quotation mark of this row is not closed/,
    );
  });

  it('reads UTF-16 of both byte orders', async () => {
    const text = Buffer.from('\ufefftime,weight (kg)\n2026-03-09T07:00:00Z,70\n', 'utf16le');
    for (const content of [text, Buffer.from(text).swap16()])
      assert.equal((await readImport('wide.csv', content)).items.length, 1);
  });

  it('refuses a wrong unit in the header or the mapping, before any row', async () => {
    await assert.rejects(
      readImport('c.csv', 'time,weight (pounds)\n2026-03-09,1\n'),
      /^Error: line 1, column 2: weight does not/,
    );
    const mapping = { time: 'Zeit', columns: { Gewicht: { metric: 'weight', unit: 'Pfund' } } };
    await assert.rejects(readImport('d.csv', 'Zeit,Gewicht\n2026-03-09,1\n', mapping), /line 1, column 2: .*"Pfund"/);
  });

  it('reads nothing of a table with a fault far behind its first rows', async () => {
    const rows = `time,weight\n${'2026-03-09T07:00:00Z,70\n'.repeat(10_000)}`;
    for (const [end, message] of [
      ['\xfc', /line 10002, column 1: the text is not UTF-8/],
      [`"${'x'.repeat(2_000_000)}`, /line 10002: a row has more than/],
    ] as const) {
      const onItem = () => assert.fail('a row was read');
      await assert.rejects(readImport('a.csv', Buffer.from(rows + end, 'latin1'), {}, null, onItem), message);
    }
  });

  it('refuses a text that is not UTF-8, and a row without end', async () => {
    await assert.rejects(readImport('e.csv', Buffer.from('time,weight\n2026-03-09,70\n\xfc\n', 'latin1')), /not UTF-8/);
    await assert.rejects(readImport('f.csv', `time,weight\n"${'x'.repeat(2_000_000)}`), /line 2: a row has more than/);
  });
});

describe('archives', () => {
  /** `at` is counted from the local header of the entry. */
  function damage(zip: Buffer, name: string, at: number): Buffer {
    zip.fill(0xff, zip.indexOf(name) - LOCAL_HEADER_BYTES + at, zip.indexOf(name) - LOCAL_HEADER_BYTES + at + 4);
    return zip;
  }
  const LOCAL_HEADER_BYTES = 30;
  const files = () => makeZip({ '1.gpx': Buffer.from(GPX), '2.fit': makeFit(), '3.tcx': Buffer.from(TCX) });

  for (const [what, at] of [
    ['header', 0],
    ['content', LOCAL_HEADER_BYTES + '2.fit'.length],
  ] as const)
    it(`lists an entry with a damaged ${what}, and reads the others`, async () => {
      const { items, rejected } = await readImport('damaged.zip', damage(files(), '2.fit', at));
      assert.deepEqual(
        items.map(([, , , position]) => position),
        ['1.gpx', '3.tcx'],
      );
      assert.match(rejected.join('\n'), /^2\.fit: .+$/);
    });

  it('lists an activity with an impossible time, and reads the others', async () => {
    const absurd = Buffer.from(TCX.replace('>600<', '>1e30<'));
    const late = Buffer.from(GPX.replace('2026-03-09T16:10:00Z', '+200000-03-09T16:10:00Z'));
    const zip = makeZip({ '1.tcx': absurd, '2.gpx': late, '3.gpx': Buffer.from(GPX) });
    const { items, rejected } = await readImport('absurd.zip', zip);
    assert.deepEqual(
      items.map(([, , , position]) => position),
      ['3.gpx'],
    );
    assert.deepEqual(rejected, [
      '1.tcx: the activity has no valid times',
      '2.gpx: the track has no times, so it is a route and not a workout',
    ]);
  });

  it('reads nothing of an entry whose checksum does not match', async () => {
    const zip = makeZip({ '1.gpx': Buffer.from(GPX) });
    const checksum = zip.indexOf('PK\u0001\u0002') + 16;
    zip.writeUInt32LE(zip.readUInt32LE(checksum) ^ 1, checksum);
    await assert.rejects(
      readImport('damaged.zip', zip, {}, null, () => assert.fail('a record was read')),
      /^\w*Error: 1\.gpx: the file is damaged: its checksum does not match\. Download or copy the zip file again/,
    );
  });

  it('refuses many files that share their packed bytes', async () => {
    const [one, many] = [makeZip({ '0.gpx': Buffer.alloc(1_000_000, ' ') }), 200];
    const at = one.readUInt32LE(one.length - 6);
    const entry = one.subarray(at, -22);
    const end = Buffer.from(one.subarray(-22));
    end.writeUInt16LE(many, 8);
    end.writeUInt16LE(many, 10);
    end.writeUInt32LE(entry.length * many, 12);
    const bomb = Buffer.concat([one.subarray(0, at), ...Array.from({ length: many }, () => entry), end]);
    await assert.rejects(readImport('bomb.zip', bomb), /unpacks to 200000000 bytes, more than 200 times its size/);
  });

  it('reads only files of the stated format, and says if there are none', async () => {
    const { items } = await readImport('many.zip', files(), {}, 'gpx');
    assert.deepEqual(
      items.map(([, , , position]) => position),
      ['1.gpx'],
    );
    await assert.rejects(
      readImport('many.zip', files(), {}, 'garmin'),
      /The zip file has no file of the format garmin, but of gpx, fit, tcx/,
    );
  });

  it('refuses a bomb, and a truncated archive', async () => {
    const bomb = makeZip({ 'apple_health_export/export.xml': Buffer.alloc(1_000) }, { bytes: 4_000_000_000 });
    await assert.rejects(readImport('bomb.zip', bomb), /more than 200 times its size/);
    await assert.rejects(
      readImport('cut.zip', makeZip({ 'a.gpx': Buffer.from(GPX) }).subarray(0, 200)),
      /damaged or truncated/,
    );
  });

  it('reads an archive with long names within two seconds of CPU', async () => {
    const length = 60_000;
    const names = [
      'a'.repeat(length),
      'Fitbit/'.repeat(length / 7),
      'Fitbit/'.repeat(length / 14) + 'a'.repeat(length / 2),
      `${'/'.repeat(length)}a`,
      '/UDSFile_'.repeat(length / 9),
    ];
    const files = names.map((name) => [`x${name}`, Buffer.from('x')] as const);
    const zip = makeZip({ ...Object.fromEntries(files), '1.gpx': Buffer.from(GPX) });
    const before = process.cpuUsage();
    assert.equal((await readImport('names.zip', zip)).items.length, 1);
    const { user } = process.cpuUsage(before);
    assert.ok(user < 2_000_000, `${user} µs of CPU`);
  });
});
