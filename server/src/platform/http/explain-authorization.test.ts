import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainAuthorization } from './explain-authorization.ts';

const SECRET = 'sk_live_0123456789';

describe('explainAuthorization', () => {
  for (const [header, message] of [
    [SECRET, /has no "Bearer" before the token/],
    ['mt_0123456789', /has no "Bearer" before the token/],
    ['eyJhbGciOi.eyJzdWIi.c2ln', /has no "Bearer" before the token/],
    [`Token ${SECRET}`, /must use the Bearer scheme/],
    [`Basic ${SECRET}`, /must use the Bearer scheme/],
    [`Bearer: ${SECRET}`, /only a space after "Bearer"/],
    [`Bearer:${SECRET}`, /only a space after "Bearer"/],
    ['Bearer', /no token after "Bearer"/],
    ['Bearer ', /no token after "Bearer"/],
    [`Bearer Bearer ${SECRET}`, /one token after "Bearer"/],
    [`Bearer ${SECRET} x`, /one token after "Bearer"/],
    [`Bearer ${SECRET}, Bearer ${SECRET}`, /one token after "Bearer"/],
    [`Bearer "${SECRET}"`, /in quotes or brackets/],
    [`Bearer '${SECRET}'`, /in quotes or brackets/],
    [`Bearer <${SECRET}>`, /in quotes or brackets/],
    ['', /has no "Bearer" before the token/],
  ] as const)
    it(`names the mistake in ${JSON.stringify(header)} without repeating it`, () => {
      const explained = explainAuthorization(header) ?? '';
      assert.match(explained, message);
      assert.match(explained, /Send "Authorization: Bearer <token>"/);
      assert.ok(!explained.includes(SECRET));
    });

  for (const header of [`Bearer ${SECRET}`, `bearer ${SECRET}`, `BEARER   ${SECRET}`])
    it(`finds no mistake in ${header}`, () => assert.equal(explainAuthorization(header), null));
});
