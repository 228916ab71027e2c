// The user's identity, and revocation.
import type { SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { userIdOf } from './document.ts';

export const personRoute: SimulatedRoute = {
  method: 'GET',
  path: '/v2/usercollection/personal_info',
  access: 'person',
  scope: null,
  answer({ view, scopes }) {
    const { person } = view.account;
    const id = userIdOf(view);
    if (!scopes.includes('personal')) return replyJson(200, { id });
    return replyJson(200, {
      id,
      age: person.ageYears,
      weight: person.weightKg,
      height: person.heightCm / 100,
      biological_sex: person.sex,
      email: scopes.includes('email') ? `${id.slice(0, 8)}@example.com` : null,
    });
  },
};

/** The token is in the query; the response does not reveal whether it existed. */
export const revokeRoutes: readonly SimulatedRoute[] = (['POST', 'GET'] as const).map((method) => ({
  method,
  path: '/oauth/revoke',
  access: 'anyone',
  answer({ query, context }) {
    const claims = context.readAccess(query.get('access_token') ?? '');
    if (claims !== null) context.revoke(claims);
    return { status: 200 };
  },
}));
