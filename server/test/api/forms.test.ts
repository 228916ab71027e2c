// Tests which form a response uses, on /v1/users. The rules are tested in platform/http/forms.test.ts.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Answer } from '../support/test-api.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createUser, newReference } from '../support/test-users.ts';

const service = await startTestService();
after(() => service.stop());
const api = service.api();

function formOf(answer: Answer): string {
  const keys = Object.keys(answer.body).join();
  const shape = keys === 'data,meta' ? '1' : keys === 'data,next_cursor' ? '2' : `neither: ${answer.text}`;
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('api-form'), shape, 'the header names the form of the body');
  return shape;
}

async function list(query = '', header?: string): Promise<Answer> {
  return api.get(`/v1/users${query}`, header === undefined ? {} : { headers: { 'api-form': header } });
}

describe('the form of GET /v1/users', () => {
  it('200 by header', async () => {
    assert.equal(formOf(await list('', '1')), '1');
    assert.equal(formOf(await list('', '2')), '2');
    assert.equal(formOf(await list('?limit=5', '2')), '2');
  });

  it('200 by parameter', async () => {
    for (const query of ['?page=1', '?per_page=5', '?reference_id=x']) assert.equal(formOf(await list(query)), '1');
    for (const query of ['?limit=5', '?external_ref=x']) assert.equal(formOf(await list(query)), '2');
  });

  it('400 invalid_form for any other header, still in one of the forms', async () => {
    for (const header of ['3', '0', 'form1', '1;2']) {
      const answer = await list('', header);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error, 'invalid_form');
      assert.deepEqual(answer.body.details, { header });
    }
  });

  it('400 mixed_forms for a header and a parameter of the other form', async () => {
    const answer = await list('?limit=5', '1');
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error, 'mixed_forms');
    assert.deepEqual(answer.body.details, { form_1: [], form_2: ['limit'], header: 1 });
    assert.equal((await list('?page=1', '2')).body.error, 'mixed_forms');
  });

  it('400 mixed_forms for parameters of both forms, listing each side', async () => {
    const answer = await list('?page=1&limit=5&cursor=x');
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error, 'mixed_forms');
    assert.deepEqual(answer.body.details, { form_1: ['page'], form_2: ['limit', 'cursor'] });
  });

  it('400 mixed_forms for a body and a query of different forms', async () => {
    const answer = await api.post('/v1/users?limit=1', { reference_id: newReference() });
    assert.equal(answer.body.error, 'mixed_forms');
  });

  it('400 invalid_parameter for a parameter of the right form that this call does not accept', async () => {
    for (const query of ['?start_date=2026-01-01', '?from_date=2026-01-01', '?unit_system=metric', '?types=steps']) {
      const answer = await list(query);
      assert.equal(answer.status, 400, query);
      assert.equal(answer.body.error, 'invalid_parameter', query);
    }
  });

  it('201 by the name of the reference', async () => {
    const one = await api.post('/v1/users', { reference_id: newReference() }, {});
    assert.deepEqual(Object.keys(one.body), ['data']);
    assert.equal(one.headers.get('api-form'), '1');
    const two = await api.post('/v1/users', { external_ref: newReference() });
    assert.ok('external_ref' in two.body);
    assert.equal(two.headers.get('api-form'), '2');
  });
});

describe('the default form of an account', () => {
  it('200 in the new form as soon as the operator has changed it', async () => {
    const account = await createAccount(service);
    const own = service.api(account.live);
    const { id } = await createUser(own);
    assert.equal(formOf(await own.get('/v1/users')), '1');
    const change = await service
      .operator()
      .patch(`/admin/accounts/${encodeURIComponent(account.name)}`, { default_form: 2 });
    assert.equal(change.status, 200);
    assert.equal(formOf(await own.get('/v1/users')), '2');
    assert.equal(formOf(await service.api(account.sandbox).get('/v1/users')), '2');
    assert.equal((await own.get(`/v1/users/${id}`)).body.id, id);
    assert.equal(formOf(await own.get('/v1/users?page=1')), '1');
    assert.equal(formOf(await api.get('/v1/users')), '1', 'other accounts keep theirs');
    const both = newReference();
    const answer = await own.post('/v1/users', { reference_id: both, external_ref: both });
    assert.equal(answer.body.external_ref, both);
  });

  it('Api-Form names the account’s form on errors too', async () => {
    const account = await createAccount(service);
    const own = service.api(account.live);
    const { id } = await createUser(own);
    await service.operator().patch(`/admin/accounts/${encodeURIComponent(account.name)}`, { default_form: 2 });
    const userToken = (await own.post('/v1/auth/user-token', { user_id: id })).body.token;
    const errors: [number, Answer][] = [
      [404, await own.get(`/v1/users/${ABSENT_ID}`)],
      [400, await own.get('/v1/users?nonsense=1')],
      [400, await own.call('POST', '/v1/users', { raw: '{' })],
      [415, await own.call('POST', '/v1/users', { raw: 'x', headers: { 'content-type': 'text/plain' } })],
      [403, await service.api(userToken).get('/v1/users')],
    ];
    await service
      .operator()
      .patch(`/admin/accounts/${encodeURIComponent(account.name)}`, { billing_status: 'past_due' });
    errors.push([402, await own.get('/v1/users')]);
    for (const [status, answer] of errors) {
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.headers.get('api-form'), '2', answer.text);
    }
  });
});

describe('Api-Form and Vary', () => {
  it('are on every response, errors too', async () => {
    const anonymous = service.api(null);
    for (const answer of [
      await api.get('/v1/users', { headers: { 'api-form': '2' } }),
      await api.get('/v1/nothing', { headers: { 'api-form': '2' } }),
      await api.call('PUT', '/v1/users', { headers: { 'api-form': '2' } }),
      await anonymous.get('/v1/users', { headers: { 'api-form': '2' } }),
      await anonymous.get('/healthz', { headers: { 'api-form': '2' } }),
      await api.call('POST', '/v1/users', { raw: '{', headers: { 'api-form': '2' } }),
    ]) {
      assert.equal(answer.headers.get('api-form'), '2', answer.text);
      assert.equal(answer.headers.get('vary'), 'Api-Form, Authorization');
    }
  });
});
