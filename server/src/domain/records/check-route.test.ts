import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_LAPS, MAX_ROUTE_POINTS, tidyLaps, tidyRoute } from './check-route.ts';
import type { EpochMs, RoutePoint, WorkoutLap } from './records.ts';

const START = Date.parse('2026-03-02T17:00:00Z');
const WORKOUT = { start: START as EpochMs, end: (START + 3_600_000) as EpochMs };

function point(second: number, given: Partial<RoutePoint> = {}): RoutePoint {
  return {
    time: (START + second * 1_000) as EpochMs,
    latitude: 52.5 + second / 1e5,
    longitude: 13.4,
    elevationM: 34,
    ...given,
  };
}

function lap(from: number, to: number, given: Partial<WorkoutLap> = {}): WorkoutLap {
  const [start, end] = [(START + from * 1_000) as EpochMs, (START + to * 1_000) as EpochMs];
  const unknown = { activeCalories: null, avgHeartRate: null, maxHeartRate: null, elevationGainM: null };
  return { start, end, distanceKm: 1, ...unknown, ...given };
}

describe('a route', () => {
  it('is sorted by time with the last of two points at one moment', () => {
    const later = point(10, { elevationM: 35 });
    assert.deepEqual(tidyRoute(WORKOUT, [point(10), point(5), later]), [point(5), later]);
  });

  it('drops impossible positions, 0/0 and points outside of the workout', () => {
    const wrong = [
      point(1, { latitude: 90.1 }),
      point(2, { longitude: -181 }),
      point(3, { latitude: Number.NaN }),
      point(4, { latitude: Number.POSITIVE_INFINITY }),
      point(5, { latitude: 0, longitude: 0 }),
      point(4_000),
      point(-4_000),
      point(6, { time: Number.NaN as EpochMs }),
    ];
    assert.deepEqual(tidyRoute(WORKOUT, [point(0), ...wrong, point(9)]), [point(0), point(9)]);
  });

  it('keeps a point whose elevation is impossible, without the elevation', () => {
    const [first] = tidyRoute(WORKOUT, [point(0, { elevationM: 65_535 }), point(1)]) ?? [];
    assert.equal(first?.elevationM, null);
  });

  it('needs two points', () => {
    assert.equal(tidyRoute(WORKOUT, [point(0)]), null);
    assert.equal(tidyRoute(WORKOUT, []), null);
  });

  it('is thinned out evenly and keeps its ends', () => {
    const long = Array.from({ length: MAX_ROUTE_POINTS * 2 }, (_, index) => point(index / 100));
    const tidied = tidyRoute(WORKOUT, long) ?? [];
    assert.equal(tidied.length, MAX_ROUTE_POINTS);
    assert.equal(tidied[0]?.time, long[0]?.time);
    assert.equal(tidied.at(-1)?.time, long.at(-1)?.time);
  });
});

describe('laps', () => {
  it('are sorted, without impossible numbers and laps', () => {
    const laps = [lap(60, 120, { avgHeartRate: 900 }), lap(0, 60), lap(60, 60), lap(3_000, 9_000)];
    assert.deepEqual(tidyLaps(WORKOUT, laps), [lap(0, 60), lap(60, 120)]);
  });

  it('are limited in number', () => {
    const many = Array.from({ length: MAX_LAPS + 5 }, (_, index) => lap(index, index + 1));
    assert.equal(tidyLaps(WORKOUT, many)?.length, MAX_LAPS);
    assert.equal(tidyLaps(WORKOUT, [lap(60, 60)]), null);
  });
});
