// Dexcom for the conformance suite.
import { type ProviderFixtures, readFixture } from '../provider-fixture.ts';

export const dexcomFixtures: ProviderFixtures = {
  pages: [
    { resource: 'egvs', body: readFixture('dexcom', 'egvs') },
    { resource: 'egvs', body: readFixture('dexcom', 'egvs-out-of-range') },
    { resource: 'events', body: readFixture('dexcom', 'events') },
  ],
  zero: {
    page: {
      resource: 'events',
      body: {
        records: [
          { systemTime: '2026-03-01T08:00:00Z', eventStatus: 'created', eventType: 'carbs', value: '0', unit: 'grams' },
          {
            systemTime: '2026-03-01T08:00:00Z',
            eventStatus: 'created',
            eventType: 'insulin',
            value: '0',
            unit: 'units',
          },
        ],
      },
    },
    metrics: ['carbohydrates', 'insulin_delivery'],
  },
  sessions: [],
  naps: [],
  bigIds: [],
  webhook: null,
};
