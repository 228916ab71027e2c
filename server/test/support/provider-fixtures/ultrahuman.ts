// Ultrahuman for the conformance suite.
import { type ProviderFixtures, readFixture } from '../provider-fixture.ts';

const metrics = () => readFixture('ultrahuman', 'metrics');

/** The start: sleeps have no id. */
const NIGHT = '1772403030';
const NAP = '1772456400';

export const ultrahumanFixtures: ProviderFixtures = {
  pages: [
    { resource: 'metrics', body: metrics() },
    { resource: 'metrics', body: inPhoenix(), zone: 'America/Phoenix' },
  ],
  zero: {
    page: {
      resource: 'metrics',
      body: {
        data: {
          metric_data: [
            { type: 'steps', object: { values: [], total: 0 } },
            { type: 'active_minutes', object: { value: 0 } },
          ],
        },
      },
    },
    metrics: ['steps', 'active_minutes'],
  },
  sessions: [
    { kind: 'sleep', key: NIGHT, start: '2026-03-01T23:10:30+01:00', end: '2026-03-02T06:52:30+01:00' },
    { kind: 'sleep', key: NAP, start: '2026-03-02T14:00:00+01:00', end: '2026-03-02T14:40:00+01:00' },
    { kind: 'sleep', key: '1772485200', start: '2026-03-02T14:00:00-07:00', end: '2026-03-02T14:40:00-07:00' },
  ],
  naps: [NAP],
  bigIds: [{ kind: 'sleep', page: { resource: 'metrics', body: metrics() }, key: NIGHT }],
  webhook: null,
};

/** A night and two naps of a user in another zone. */
function inPhoenix(): unknown {
  const sleeps = [
    [1_772_432_400, 1_772_460_000],
    [1_772_478_000, 1_772_479_800],
    [1_772_485_200, 1_772_487_600],
  ];
  const metricData = sleeps.map(([start, end]) => {
    return { type: 'Sleep', object: { bedtime_start: start, bedtime_end: end } };
  });
  return { data: { metric_data: metricData } };
}
