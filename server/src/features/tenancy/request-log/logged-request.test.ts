import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { ObservedRequest } from '../../../platform/http/observed-request.ts';
import { callerToLog, describeForLog } from './logged-request.ts';

const ID = '01a1e04c-0000-7000-8000-0000000000a1';
const caller = callerToLog({
  kind: 'api_key',
  keyId: ID,
  tenant: { accountId: ID as AccountId, environment: 'live' },
} as unknown as Caller);
const logged = (part: Partial<ObservedRequest>) => {
  assert.ok(caller);
  const request = {
    id: 'req_1',
    method: 'GET',
    route: '/v1/users/:user_id',
    url: `/v1/users/${ID}`,
    status: 200,
    error: null,
    ms: 1,
    bytes: 2,
    caller,
    pathUserId: ID,
    healthDataOf: 'path_user' as const,
    agent: undefined,
    ...part,
  };
  return describeForLog(request, caller, 0);
};

describe('a row of the request log', () => {
  it('has neither ids nor values that could describe a person, also when the query is repeated', () => {
    for (let count = 0; count < 2; count += 1) {
      assert.equal(logged({}).path, '/v1/users/{id}');
      assert.equal(
        logged({ url: `/v1/users?reference_id=ada&limit=5&user_id=${ID}&name=Zo%20%C3%AB%20B` }).path,
        '/v1/users?reference_id=…&limit=5&user_id={id}&name=Zo%20%C3%AB%20B',
      );
      assert.equal(logged({ url: '/v1/users?note=a/b' }).path, '/v1/users?note=…');
      assert.equal(logged({ url: '/v1/users?external_ref=ada&limit=5' }).path, '/v1/users?external_ref=…&limit=5');
      assert.equal(logged({ url: '/v1/users?external%5Fref=ada' }).path, '/v1/users?external%5Fref=…');
    }
  });

  it('is cut where the query is long', () => {
    assert.equal(logged({ url: `/v1/users?types=${'a,'.repeat(400)}` }).path.length, 501);
  });

  it('has the name of the program without control characters', () => {
    for (let count = 0; count < 2; count += 1) assert.equal(logged({ agent: 'acme\u0007/1' }).agent, 'acme?/1');
    assert.equal(logged({}).agent, null);
  });
});
