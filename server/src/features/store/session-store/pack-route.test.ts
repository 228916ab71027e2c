import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import type { EpochMs, RoutePoint, WorkoutLap } from '../../../domain/records/records.ts';
import { decodeLaps, decodeRoute, packRoute } from './pack-route.ts';

const START = Date.parse('2026-03-02T17:00:00Z');
const point = (index: number): RoutePoint => ({
  time: (START + index * 1_000) as EpochMs,
  latitude: Number((-33.8688197 + index / 1e5).toFixed(7)),
  longitude: Number((179.9999999 - index / 1e5).toFixed(7)),
  elevationM: index % 3 === 0 ? null : -4.5 + index,
});
const LAP: WorkoutLap = {
  start: START as EpochMs,
  end: (START + 60_000) as EpochMs,
  distanceKm: 0.25,
  activeCalories: null,
  avgHeartRate: 140,
  maxHeartRate: null,
  elevationGainM: 0,
};

describe('packRoute', () => {
  it('restores every point and lap', () => {
    const route = Array.from({ length: 500 }, (_, index) => point(index));
    const packed = packRoute({ route, laps: [LAP] });
    assert.deepEqual(decodeRoute(deflateRawSync(packed?.route ?? Buffer.alloc(0))), route);
    assert.deepEqual(decodeLaps(deflateRawSync(packed?.laps ?? Buffer.alloc(0))), [LAP]);
  });

  it('has a digest that depends on both', () => {
    const digests = [
      packRoute({ route: [point(0), point(1)] }),
      packRoute({ route: [point(0), point(2)] }),
      packRoute({ laps: [LAP] }),
      packRoute({ route: [point(0), point(1)], laps: [LAP] }),
    ].map((packed) => packed?.digest);
    assert.equal(new Set(digests).size, 4);
    assert.equal(packRoute({ route: null, laps: [] }), null);
  });
});
