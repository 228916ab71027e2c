// The profile of the user.
import type { SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { userIdOf } from './results.ts';

export const userRoutes: readonly SimulatedRoute[] = [
  {
    method: 'GET',
    path: '/api/users/me',
    access: 'person',
    scope: 'user:read',
    answer({ view }) {
      const { weightKg, maxBpm } = view.account.person;
      return replyJson(200, {
        data: {
          id: userIdOf(view),
          username: `user${userIdOf(view)}`,
          first_name: 'Made',
          last_name: 'Up',
          weight: Math.round(weightKg * 100), // in units of 10 g
          max_heart_rate: maxBpm,
          logbook_privacy: 'partners',
        },
      });
    },
  },
];
