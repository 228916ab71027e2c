// Wrong programs fail, and the error says at which step and why.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { playVector } from './play-vector.ts';
import { readVectors } from './read-vectors.ts';

/** Sends every upload at once, and again under a new id if the answer is lost. It stores nothing. */
const CARELESS = `
let base, queued = [];
const post = async (path, body, token) => {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: 'Bearer ' + token }) };
  const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.json();
};
const flush = async () => {
  const { token } = await post('/conformance/token');
  const session = { client_token: token, installation_id: 'i', platform: 'ios' };
  const { access_token } = await post('/v1/sdk/sessions/exchange', session);
  for (const { groups } of queued.splice(0)) for (const { source, items } of groups) {
    const send = () => post('/v1/sdk/uploads',
      { upload_id: crypto.randomUUID(), source, samples: items.map(({ value }) => value) }, access_token);
    await send().catch(send);
  }
};
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const command = JSON.parse(line);
  if (command.do === 'open') base = command.base_url;
  if (command.do === 'enqueue') queued.push(command.changes);
  if (command.do === 'flush') await flush();
  console.log(JSON.stringify({ ok: true, pending: 0, parked: 0, stopped: null }));
});`;

/** Answers as if all were well. */
const IDLE = `process.stdin.on('data', () => console.log('{"ok":true,"pending":0,"parked":0,"stopped":null}'));`;

function play(name: string, program: string): Promise<void> {
  const vector = readVectors().find((one) => one.name === name);
  assert.ok(vector !== undefined, name);
  return playVector(vector, [process.execPath, '-e', program]);
}

it('rejects an upload that is sent again with other bytes', async () => {
  await assert.rejects(play('lost-upload-answer', CARELESS), /step \d+: POST .*(same bytes|upload_id)/);
});

it('rejects a program that forgets its queue when it is killed', async () => {
  await assert.rejects(play('killed-before-flush', CARELESS), /step \d+: /);
});

it('rejects a program that sends nothing, at once', async () => {
  await assert.rejects(play('first-upload', IDLE), /step \d+: the flush ended without this request/);
});
