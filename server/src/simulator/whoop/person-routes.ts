// The user's identity, body measurements, and revocation.
import type { SimulatedRoute } from '../dialect.ts';
import { exactNumber } from '../exact-number.ts';
import { replyJson } from '../reply-json.ts';
import { userIdOf } from './record.ts';

const BASE = '/developer/v2/user';

export const personRoutes: readonly SimulatedRoute[] = [
  {
    method: 'GET',
    path: `${BASE}/profile/basic`,
    access: 'person',
    scope: 'read:profile',
    answer: ({ view }) =>
      replyJson(200, {
        user_id: exactNumber(userIdOf(view)),
        email: `${userIdOf(view)}@example.com`,
        first_name: 'Made',
        last_name: 'Up',
      }),
  },
  {
    method: 'GET',
    path: `${BASE}/measurement/body`,
    access: 'person',
    scope: 'read:body_measurement',
    answer({ view }) {
      const { heightCm, weightKg, maxBpm } = view.account.person;
      return replyJson(200, {
        height_meter: heightCm / 100,
        weight_kilogram: weightKg,
        max_heart_rate: maxBpm,
      });
    },
  },
  {
    method: 'DELETE',
    path: `${BASE}/access`,
    access: 'person',
    scope: null,
    answer({ revoke }) {
      revoke();
      return { status: 204 };
    },
  },
];
