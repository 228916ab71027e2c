// The service with phones that can upload, and what one upload costs its database.
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { PhoneFacts } from '../ingest/service-child.ts';
import { answerParent } from '../support/bench-child.ts';
import { type BenchService, POLICIES, startBenchService } from '../support/bench-service.ts';
import { createUsers, openSessions } from '../support/create-users.ts';
import { readDatabaseCpuMs } from '../support/database-cpu.ts';
import { type Evening, findEvening, LAST_MINUTE, makeSmallUpload } from './small-upload.ts';

export type SmallPhoneFacts = PhoneFacts & { readonly evening: Evening };

const evening = findEvening(new Date());
let service: BenchService | undefined;
let tokens: readonly string[] = [];

function running(): BenchService {
  if (service === undefined) throw new Error('the service is not started');
  return service;
}

let stopRecording = (): string[] => [];

/** Statements outside of a transaction are not recorded: they pass a callback. */
function startRecording(): void {
  const sent: string[] = [];
  const pool = running().db.pool();
  const connect = pool.connect.bind(pool) as (done?: unknown) => Promise<pg.PoolClient>;
  const connectToRecord = async () => record(await connect(), sent);
  pool.connect = ((done) => (done === undefined ? connectToRecord() : connect(done))) as typeof pool.connect;
  stopRecording = () => {
    pool.connect = connect as typeof pool.connect;
    return sent;
  };
}

export type SmallUploadService = {
  readonly users: number;
  readonly databaseUrl?: string;
  readonly environment?: Readonly<Record<string, string>>;
};

answerParent(
  {
    /** On the database behind the URL there is only an API process: nothing is scored or published. */
    async start({ users, databaseUrl, environment }: SmallUploadService): Promise<SmallPhoneFacts> {
      service = databaseUrl
        ? await startBenchService(databaseUrl, environment, POLICIES, 'api')
        : await startBenchService();
      const userIds = await createUsers(service, users, evening);
      tokens = await openSessions(service, userIds);
      return { ...service.facts, userIds, tokens, evening };
    },
    async readDatabaseCpuMs(): Promise<number> {
      return (await readDatabaseCpuMs(running().db)) ?? Number.NaN;
    },
    /** The statements of one upload of a phone that has uploaded before, without those of background loops. */
    async listStatements(): Promise<string[]> {
      const { call } = running();
      startRecording();
      await call('POST', '/v1/sdk/uploads', makeSmallUpload(randomUUID(), LAST_MINUTE, evening), tokens[0]);
      const sent = stopRecording();
      const begin = sent.lastIndexOf('lock_free_users') - 1;
      return sent.slice(begin, sent.indexOf('commit', begin) + 1);
    },
    startRecording,
    /** All statements of transactions since the start, those of scoring and publishing included. */
    countRecorded: () => stopRecording().length,
  },
  async () => service?.stop(),
);

function record(client: pg.PoolClient, sent: string[]): pg.PoolClient {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
      return (query: string | { name?: string; text: string }, ...rest: unknown[]) => {
        sent.push(typeof query === 'string' ? query : (query.name ?? query.text));
        return Reflect.apply(value, target, [query, ...rest]);
      };
    },
  });
}
