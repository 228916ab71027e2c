// Blocks that show a request, a response or a file for an import.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCli } from '../../support/run-cli.ts';
import { startPhone } from '../../support/test-phone.ts';
import type { Check, CheckContext } from './check-context.ts';
import { assertShows, parseSample } from './sample-json.ts';

export const API_CHECKS = {
  errorSample: async ({ code }, { service }) => {
    const answer = await service.api(service.keys.sandbox).post('/v1/users', { time_zone: 'Europe/Berlin' });
    assert.equal(answer.status, 400);
    const sample = parseSample(code);
    assertShows(sample, answer.body);
    assert.equal((sample as { message: string }).message, answer.body.message);
  },
  workoutSample: async ({ code }, { service, userId }) => {
    const api = service.api(service.keys.sandbox);
    await runCli(service, ['sandbox', 'scenario', '--user', userId, '--name', 'two-devices']);
    for (const { id } of (await api.get(`/v1/users/${userId}/workouts?limit=50`)).body.data) {
      const { body } = await api.get(`/v1/users/${userId}/workouts/${id}`, { headers: { 'api-form': '2' } });
      if (body.copies.length > 0) return assertShows(parseSample(code), body);
    }
    assert.fail('no workout of the sandbox user has a copy');
  },
  workoutRequest: async ({ code }, { service, userId }) => {
    const api = service.api(service.keys.sandbox);
    const [{ id }] = (await api.get(`/v1/users/${userId}/workouts?limit=1`)).body.data;
    const [method, target = ''] = (code.split('\n', 1)[0] ?? '').split(' ');
    const url = target.replace('{user_id}', userId).replace('{workout_id}', id);
    const headers = Object.fromEntries(
      [...code.matchAll(/^([\w-]+): (.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    assert.equal(method, 'GET');
    assert.ok('Api-Form' in headers, 'the example does not name its form');
    assert.equal((await api.get(url, { headers })).status, 200);
  },
  uploadedSample: async ({ code }, { service, userId }) => {
    const phone = await startPhone(service, userId, { key: service.keys.sandbox });
    assert.equal((await phone.upload({ samples: [JSON.parse(code)] })).accepted, 1);
  },
  phoneRequest: async ({ code }, context) => {
    const [head = '', body = ''] = code.split('\n\n');
    const [method, target = ''] = (head.split('\n', 1)[0] ?? '').split(' ');
    assert.equal(method, 'POST');
    const sent = { ...JSON.parse(body), ...(await secretsOf(target, context)) };
    const { access = null, ...fields } = sent;
    const answer = await context.service.api(access).post(target, fields);
    assert.equal(answer.status, 200, answer.text);
  },
  sessionAnswer: async ({ code }, context) => {
    const fields = await secretsOf('/v1/sdk/sessions/exchange', context);
    const { body } = await context.service.api(null).post('/v1/sdk/sessions/exchange', fields);
    const sample = parseSample(code) as { scopes: string[] };
    assertShows(sample, body);
    assert.deepEqual(sample.scopes, body.scopes);
  },
  csv: async ({ code }, context) => importTable(code, [], context),
  csvMapping: async ({ code }, context) => {
    const mapping = path.join(context.folder, 'mapping.json');
    await writeFile(mapping, code);
    await importTable(
      'Zeit;Gewicht\n09.03.2026 07:00;71,5\n'.replace('09.03.2026', '2026-03-09'),
      ['--map', mapping],
      context,
    );
  },
} satisfies Record<string, Check>;

/** What stands for "…" in a request of a phone. */
async function secretsOf(target: string, { service, userId }: CheckContext): Promise<Record<string, string>> {
  const api = service.api(service.keys.sandbox);
  const installation_id = randomUUID();
  const begun = await api.post(
    `/v1/users/${userId}/sdk-sessions`,
    { installation_id, platform: 'ios' },
    { headers: { 'idempotency-key': randomUUID() } },
  );
  const exchange = { client_token: begun.body.client_token, installation_id };
  if (target.endsWith('/exchange')) return exchange;
  const { access_token, refresh_token } = (await service.api(null).post('/v1/sdk/sessions/exchange', exchange)).body;
  return target.endsWith('/refresh') ? { refresh_token } : { access: access_token, upload_id: randomUUID() };
}

async function importTable(text: string, options: readonly string[], { service, userId, folder }: CheckContext) {
  const file = path.join(folder, 'table.csv');
  await writeFile(file, text);
  const args = ['import', file, '--format', 'csv', '--user', userId, ...options];
  const { code, stdout, stderr } = await runCli(service, args);
  assert.equal(code, 0, `${stdout}${stderr}`);
  assert.doesNotMatch(stdout, /rejected: *[1-9]/);
}
