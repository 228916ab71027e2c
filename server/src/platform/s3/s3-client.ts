// Objects of one bucket in S3-compatible storage. Requests are retried, so that a short outage does not end a long export.
import { request as requestHttps } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../cli-error.ts';
import { http } from '../node-http.ts';
import { parseRetryAfter } from '../outbound/index.ts';
import { encodeKey, encodeQuery, hashHex, type S3Credentials, signRequest } from './sign-request.ts';

type S3Options = {
  readonly bucket: string;
  /** Null: the endpoint of AWS for the region, with the bucket in the name of the host. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly credentials: S3Credentials;
  readonly userAgent: string;
};

type S3Client = {
  /** Null: there is no such object. */
  read(key: string): Promise<Buffer | null>;
  write(key: string, body: Uint8Array): Promise<void>;
  /** Changes nothing if there is such an object. A storage that does not know the condition of the request replaces it. */
  create(key: string, body: Uint8Array): Promise<void>;
  /** In parts. The object appears with its last byte, or not at all. */
  writeStream(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  list(prefix: string): Promise<string[]>;
  remove(key: string): Promise<void>;
  /** Removes the parts that a killed writer has left, of the keys that are wanted. */
  abortUploads(prefix: string, isWanted: (key: string) => boolean): Promise<void>;
};

export class S3Error extends CliError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Storage accepts parts from 5 MB, and 10,000 of them: files up to 80 GB. */
const PART_BYTES = 8 * 1_048_576;
const IDLE_MS = 60_000;
const PAUSES_MS = [200, 500, 1_500, 4_000, 10_000];
const LATER: ReadonlySet<number> = new Set([0, 408, 429, 500, 502, 503, 504]);
const NOT_FOUND = 404;
const NOT_IMPLEMENTED = 501;
/** Another request creates the object, or has created it. */
const EXISTS: ReadonlySet<number> = new Set([409, 412]);

export function createS3Client(options: S3Options): S3Client {
  const call = (method: string, key: string, query: Readonly<Record<string, string>> = {}, body: Uint8Array = EMPTY) =>
    callWithRetries(options, { method, key, query, body, headers: {} });
  const write = async (key: string, body: Uint8Array) => void (await call('PUT', key, {}, body));
  return {
    write,
    async read(key) {
      try {
        return (await call('GET', key)).body;
      } catch (error) {
        if (error instanceof S3Error && error.status === NOT_FOUND) return null;
        throw error;
      }
    },
    async create(key, body) {
      try {
        await callWithRetries(options, { method: 'PUT', key, query: {}, body, headers: { 'if-none-match': '*' } });
      } catch (error) {
        if (!(error instanceof S3Error)) throw error;
        if (error.status === NOT_IMPLEMENTED) return write(key, body);
        if (!EXISTS.has(error.status)) throw error;
      }
    },
    async writeStream(key, chunks) {
      const parts = collectParts(chunks);
      const first = await parts.next();
      const second = first.done ? first : await parts.next();
      if (first.done || second.done) return write(key, first.done ? EMPTY : first.value);
      await writeParts(call, key, [first.value, second.value], parts);
    },
    async list(prefix) {
      const keys: string[] = [];
      for (let token: string | undefined; ; ) {
        const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) };
        const text = (await call('GET', '', query)).body.toString();
        keys.push(...readAll(text, 'Key'));
        token = readAll(text, 'NextContinuationToken')[0];
        if (token === undefined) return keys;
      }
    },
    remove: async (key) => void (await call('DELETE', key)),
    async abortUploads(prefix, isWanted) {
      const text = (await call('GET', '', { prefix, uploads: '' })).body.toString();
      const [keys, ids] = [readAll(text, 'Key'), readAll(text, 'UploadId')];
      for (const [index, key] of keys.entries())
        if (isWanted(key)) await call('DELETE', key, { uploadId: ids[index] ?? '' });
    },
  };
}

const EMPTY = new Uint8Array();

type Call = (
  method: string,
  key: string,
  query?: Readonly<Record<string, string>>,
  body?: Uint8Array,
) => Promise<Answer>;

async function writeParts(
  call: Call,
  key: string,
  begun: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): Promise<void> {
  const [uploadId] = readAll((await call('POST', key, { uploads: '' })).body.toString(), 'UploadId');
  if (uploadId === undefined) throw new S3Error(0, `The storage did not begin an upload of ${key}.`);
  try {
    const tags: string[] = [];
    const writePart = async (part: Uint8Array) => {
      const query = { partNumber: String(tags.length + 1), uploadId };
      tags.push((await call('PUT', key, query, part)).etag);
    };
    for (const part of begun) await writePart(part);
    for await (const part of rest) await writePart(part);
    const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
    await call('POST', key, { uploadId }, body);
  } catch (error) {
    await call('DELETE', key, { uploadId }).catch(() => undefined); // the next export aborts it otherwise
    throw error;
  }
}

async function* collectParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(pending, bytes);
    pending = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(pending, bytes);
}

type Request = {
  readonly method: string;
  /** Empty: the bucket itself. */
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
};
type Answer = {
  readonly status: number;
  readonly etag: string;
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
};

async function callWithRetries(options: S3Options, request: Request): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await send(options, request);
    // Completing an upload can fail after the status was sent.
    const isFailed =
      answer.status >= 300 ||
      answer.status === 0 ||
      (request.method === 'POST' && /<Error>/.test(answer.body.toString()));
    if (!isFailed) return answer;
    const pauseMs = PAUSES_MS[attempt];
    const isLater = LATER.has(answer.status) || answer.status < 300;
    if (!isLater || pauseMs === undefined) throw describeFailure(options, request, answer);
    await delay(parseRetryAfter(answer.retryAfter, new Date()) ?? pauseMs * (0.5 + Math.random()));
  }
}

function describeFailure({ bucket }: S3Options, { method, key }: Request, { status, body }: Answer): S3Error {
  const text = body.toString();
  const [code = `status ${status}`] = readAll(text, 'Code');
  const [message = status === 0 ? text : ''] = readAll(text, 'Message');
  return new S3Error(status, `The storage refused ${method} s3://${bucket}/${key}: ${code}. ${message}`.trim());
}

/** Status 0: there was no answer, and the body says why. */
function send(options: S3Options, { method, key, query, body, headers: more }: Request): Promise<Answer> {
  const url = urlOf(options, key, query);
  const headers = signRequest({
    method,
    url,
    headers: { 'content-length': String(body.length), 'user-agent': options.userAgent, ...more },
    bodyHash: hashHex(body),
    region: options.region,
    credentials: options.credentials,
    now: new Date(),
  });
  const request = url.protocol === 'https:' ? requestHttps : http.request;
  return new Promise((resolve) => {
    const fail = (error: Error) =>
      resolve({ status: 0, etag: '', retryAfter: undefined, body: Buffer.from(error.message) });
    const call = request(url, { method, headers, timeout: IDLE_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        const { etag = '', 'retry-after': retryAfter } = response.headers;
        resolve({ status: response.statusCode ?? 0, etag, retryAfter, body: Buffer.concat(chunks) });
      });
    });
    call.on('timeout', () => call.destroy(new Error('the storage does not respond')));
    call.on('error', fail);
    call.end(body);
  });
}

/** Other storage than AWS has the bucket in the path: its host has no certificate for names of buckets. */
function urlOf({ endpoint, bucket, region }: S3Options, key: string, query: Readonly<Record<string, string>>): URL {
  const search = encodeQuery(query);
  const base =
    endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint.replace(/\/$/, '')}/${bucket}`;
  return new URL(`${base}/${encodeKey(key)}${search === '' ? '' : `?${search}`}`);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The texts of all elements with this name. */
function readAll(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text.replace(/&(#x?[\da-f]+|\w+);/gi, (whole, entity: string) => {
      if (!entity.startsWith('#')) return ENTITIES[entity] ?? whole;
      const code = entity[1] === 'x' ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
      return String.fromCodePoint(code);
    }),
  );
}
