import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readImport } from '../../../../../test/support/read-import.ts';

type Workout = {
  duration_minutes: number;
  distance_km: number;
  active_calories: number;
  heart_rate: { max_bpm?: number; samples: { bpm: number }[] };
};

const lap = (total: string, meters: string, calories: string) => `<Lap StartTime="2026-03-09T07:00:00Z">
  <TotalTimeSeconds>${total}</TotalTimeSeconds><DistanceMeters>${meters}</DistanceMeters><Calories>${calories}</Calories>
  <MaximumHeartRateBpm><Value>${calories}</Value></MaximumHeartRateBpm>
  <Track>
    <Trackpoint><Time>2026-03-09T07:00:00Z</Time><HeartRateBpm><Value>INF</Value></HeartRateBpm></Trackpoint>
    <Trackpoint><Time>2026-03-09T07:30:00Z</Time><HeartRateBpm><Value>120</Value></HeartRateBpm></Trackpoint>
  </Track></Lap>`;

describe('readTcx', () => {
  it('ignores numbers of a lap that are not finite, and keeps the activity', async () => {
    const { items, rejected } = await readImport(
      'a.tcx',
      `<TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2026-03-09T07:00:00Z</Id>
      ${lap('600', '2000', '150')}${lap('NaN', 'INF', 'INF')}${lap('', '-INF', '')}
      </Activity></Activities></TrainingCenterDatabase>`,
    );
    assert.deepEqual(rejected, []);
    const [workout] = items.map(([, , item]) => item as Workout);
    assert.equal(workout?.duration_minutes, 10);
    assert.equal(workout?.distance_km, 2);
    assert.equal(workout?.active_calories, 150);
    assert.equal(workout?.heart_rate.max_bpm, 150);
    assert.deepEqual(new Set(workout?.heart_rate.samples.map(({ bpm }) => bpm)), new Set([120]));
  });
});

describe('readGpx', () => {
  it('ignores a heart rate that is not finite', async () => {
    const point = (minute: string, bpm: string) =>
      `<trkpt lat="52" lon="13"><time>2026-03-09T07:${minute}:00Z</time><extensions><hr>${bpm}</hr></extensions></trkpt>`;
    const { items, rejected } = await readImport(
      'a.gpx',
      `<gpx><trk><trkseg>${point('00', 'Infinity')}${point('30', '120')}</trkseg></trk></gpx>`,
    );
    assert.deepEqual(rejected, []);
    const [workout] = items.map(([, , item]) => item as Workout);
    assert.deepEqual(
      workout?.heart_rate.samples.map(({ bpm }) => bpm),
      [120],
    );
  });
});
