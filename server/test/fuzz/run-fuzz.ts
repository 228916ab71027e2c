// Sends random requests at a fixed concurrency and checks every response: the published document, no internal error, no
// request without a response.
import { seedRandom } from '../faults/random.ts';
import { type Answer, createApi } from '../support/test-api.ts';
import { type FuzzWorld, learn } from './fuzz-world.ts';
import { type FuzzRequest, generateRequest, type PublishedOperation } from './generate-request.ts';

const ANSWER_LIMIT_MS = 30_000;
const MOST_FAILURES = 10; // the first ones are enough to find the cause
const SEED_STEP = 2_654_435_761; // spreads the seeds of consecutive requests
const PRINTED_CHARACTERS = 1_500;

export type FuzzReport = {
  readonly requests: number;
  readonly failures: readonly string[];
  /** Responses by operation and status. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<number, number>>;
};

export async function runFuzz(
  url: string,
  operations: readonly PublishedOperation[],
  world: FuzzWorld,
  { seed, requests, concurrency }: { seed: number; requests: number; concurrency: number },
): Promise<FuzzReport> {
  const failures: string[] = [];
  const counts = new Map<string, Map<number, number>>();
  let next = 0;
  const work = async () => {
    while (next < requests && failures.length < MOST_FAILURES) {
      const index = next++;
      const random = seedRandom(seed + Math.imul(index + 1, SEED_STEP));
      const operation = operations[random.integer(0, operations.length - 1)] as PublishedOperation;
      const request = generateRequest(random, operation, world);
      try {
        const answer = await send(url, request);
        const statuses = counts.getOrInsertComputed(operation.name, () => new Map());
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        requireExpected(answer);
        learn(world, request.subject, operation.name, request.path, answer);
      } catch (error) {
        if (!isInterruptedExport(operation, error))
          failures.push(`request ${index}: ${describe(request)}\n  ${(error as Error).message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { requests: next, failures, counts };
}

/** Other requests change or delete the user of an export. It then ends before its last byte, or has to be requested again. */
function isInterruptedExport({ name }: PublishedOperation, error: unknown): boolean {
  const { message } = error as Error;
  return (
    name === 'GET /v1/users/{user_id}/export' && /^other side closed$|^answered 503: .*"unavailable"/.test(message)
  );
}

async function send(url: string, { method, path, token, headers, raw }: FuzzRequest): Promise<Answer> {
  const answered = createApi(url, token).call(method, path, { headers, ...(raw === undefined ? {} : { raw }) });
  answered.catch(() => undefined); // it may fail after the limit
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error(`no response within ${ANSWER_LIMIT_MS} ms`)), ANSWER_LIMIT_MS);
  return await Promise.race([answered, limit.promise]).finally(() => clearTimeout(timer));
}

/** 503 is documented for a full queue, and only for that while the database is up. */
function requireExpected({ status, body, text }: Answer): void {
  if (status < 500 || (status === 503 && body?.error === 'overloaded')) return;
  throw new Error(`answered ${status}: ${text.slice(0, PRINTED_CHARACTERS)}`);
}

function describe({ method, path, headers, raw }: FuzzRequest): string {
  const body = raw === undefined ? '' : ` ${raw.toString().slice(0, PRINTED_CHARACTERS)}`;
  return `${method} ${path.slice(0, PRINTED_CHARACTERS)} ${JSON.stringify(headers)}${body}`;
}
