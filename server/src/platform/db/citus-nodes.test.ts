import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { createLogger } from '../log.ts';
import { createCitusNodes } from './citus-nodes.ts';
import type { Database } from './database.ts';

const HOSTS = [
  { host: 'worker-1', port: 5432 },
  { host: 'worker-2', port: 5433 },
];
const USABLE = { id: 7, isStandby: false, hasRights: true, startedAt: '1' };
const lost = () => new AppError('unavailable', { cause: new Error('Connection terminated') });

type Answer = object | Error;

/** Each host answers the checks with its list, and the last one forever. */
function open(answers: Record<string, Answer[]>, transaction: () => Promise<unknown> = async () => undefined) {
  const urls: string[] = [];
  const nodes = createCitusNodes({
    db: { query: async () => [{ startedAt: '1' }] as never },
    tables: { distributed: ['uploads'], shared: ['users'] },
    hosts: HOSTS,
    coordinatorUrl: 'postgres://service:secret@coordinator:5432/tributary?sslmode=require',
    log: createLogger('silent'),
    checkAgainMs: 0,
    connect(url) {
      urls.push(url);
      const list = answers[/host=([^&]+)/.exec(url)?.[1] ?? ''] ?? [];
      const query = async (text: string) => {
        if (/from users/.test(text)) return [];
        const answer = list.length > 1 ? list.shift() : list[0];
        if (answer === undefined || answer instanceof Error) throw answer ?? lost();
        return [answer];
      };
      return { query, transaction } as unknown as Database;
    },
  });
  return { nodes, urls };
}

describe('the nodes of a Citus cluster', () => {
  it('have the user, database and parameters of the coordinator', () => {
    assert.deepEqual(open({}).urls, [
      'postgres://service:secret@/tributary?sslmode=require&host=worker-1&port=5432',
      'postgres://service:secret@/tributary?sslmode=require&host=worker-2&port=5433',
    ]);
  });

  it('are found once they have answered, by the id that they state', async () => {
    const { nodes } = open({ 'worker-1': [USABLE], 'worker-2': [{ ...USABLE, id: 8 }] });
    assert.equal(nodes.find(7), null);
    await nextRound();
    assert.ok(nodes.find(7));
    assert.ok(nodes.find(8));
    assert.notEqual(nodes.find(7), nodes.find(8));
    assert.equal(nodes.find(9), null);
  });

  for (const [name, answer] of [
    ['cannot be reached', lost()],
    ['is not the server that the coordinator uses', { ...USABLE, startedAt: '2' }],
    ['is a standby', { ...USABLE, isStandby: true }],
    ['does not let the service change the tables', { ...USABLE, hasRights: false }],
  ] as const)
    it(`are not used if one ${name}, until it answers otherwise`, async () => {
      const { nodes } = open({ 'worker-1': [answer, USABLE] });
      nodes.find(7);
      await nextRound();
      assert.equal(nodes.find(7), null); // asks again
      await nextRound();
      assert.ok(nodes.find(7));
    });

  it('are not used after a lost transaction or a timeout, and are after one that failed by itself', async () => {
    let error: unknown = new Error('a constraint');
    const { nodes } = open({ 'worker-1': [USABLE] }, () => Promise.reject(error));
    nodes.find(7);
    await nextRound();
    await assert.rejects(nodes.find(7)?.transaction(async () => undefined) ?? assert.fail(), /a constraint/);
    assert.ok(nodes.find(7));
    for (const cause of [new Error('Connection terminated'), Object.assign(new Error('timeout'), { code: '57014' })]) {
      error = new AppError('unavailable', { cause });
      await assert.rejects(nodes.find(7)?.transaction(async () => undefined) ?? assert.fail(), AppError);
      assert.equal(nodes.find(7), null);
      await nextRound();
    }
  });
});
