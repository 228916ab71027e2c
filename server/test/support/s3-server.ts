// A small S3-compatible storage in memory. It computes the signature of every request from what arrived, and refuses a wrong one.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEPT_OPEN } from './kept-open.ts';

const ACCESS_KEY = 'test-access-key';
const SECRET_KEY = 'test/secret+key';
const REGION = 'eu-test-1';
const MIN_PART_BYTES = 5 * 1_048_576;
const MAX_KEYS = 2; // few, so that lists have several pages

type Upload = { readonly key: string; readonly parts: Map<number, Buffer> };
type Received = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  /** Only a new object is written. */
  readonly isCreation: boolean;
};

type S3Server = {
  readonly url: string;
  /** Of the AWS tools. */
  readonly environment: Record<string, string>;
  readonly objects: Map<string, Buffer>;
  readonly uploads: Map<string, Upload>;
  readonly log: string[];
  /** Answers a request differently while it returns a status; 0 cuts the connection. */
  fault: (request: Received) => number | null;
  stop(): Promise<void>;
};

export async function startS3Server(): Promise<S3Server> {
  const server = createServer(KEPT_OPEN, (request, response) => {
    void answer(state, request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: S3Server = {
    url,
    environment: {
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
      AWS_REGION: REGION,
      AWS_ENDPOINT_URL: url,
    },
    objects: new Map(),
    uploads: new Map(),
    log: [],
    fault: () => null,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return state;
}

async function answer(state: S3Server, request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '', 'http://any');
  const received = {
    method: request.method ?? '',
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    body: Buffer.concat(chunks),
    isCreation: request.headers['if-none-match'] === '*',
  };
  state.log.push(`${received.method} ${received.path}${url.search}`);
  const fault = state.fault(received);
  if (fault === 0) return void request.socket.destroy();
  if (fault !== null) return fail(response, fault, 'SlowDown');
  if (!isSigned(request, received.body)) return fail(response, 403, 'SignatureDoesNotMatch');
  handle(state, received, response);
}

function handle(state: S3Server, { method, path, query, body, isCreation }: Received, response: ServerResponse) {
  const [, , ...rest] = path.split('/');
  const key = rest.join('/');
  const uploadId = query.get('uploadId');
  const upload = uploadId === null ? undefined : state.uploads.get(uploadId);
  if (uploadId !== null && upload === undefined) return fail(response, 404, 'NoSuchUpload');
  if (upload !== undefined && uploadId !== null) {
    if (method === 'DELETE') state.uploads.delete(uploadId);
    else if (method === 'PUT') upload.parts.set(Number(query.get('partNumber')), body);
    else return complete(state, uploadId, upload, body, response);
    return void response.setHeader('etag', `"${hash(body)}"`).end();
  }
  if (method === 'POST' && query.has('uploads')) {
    const id = `upload-${state.log.length}`;
    state.uploads.set(id, { key, parts: new Map() });
    return void response.end(`<Result><UploadId>${id}</UploadId></Result>`);
  }
  if (key === '') return list(state, query, response);
  if (isCreation && state.objects.has(key)) return fail(response, 412, 'PreconditionFailed');
  if (method === 'PUT') state.objects.set(key, body);
  if (method === 'DELETE') state.objects.delete(key);
  const found = state.objects.get(key);
  if (method === 'GET' && found === undefined) return fail(response, 404, 'NoSuchKey');
  response.end(method === 'GET' ? found : '');
}

function complete(state: S3Server, id: string, upload: Upload, body: Buffer, response: ServerResponse) {
  const parts = [...upload.parts].sort(([one], [other]) => one - other).map(([, part]) => part);
  const named = [...body.toString().matchAll(/<ETag>"([^"]+)"<\/ETag>/g)].map(([, tag]) => tag);
  const areWhole = parts.slice(0, -1).every(({ length }) => length >= MIN_PART_BYTES);
  if (!areWhole || parts.some((part, index) => hash(part) !== named[index])) return fail(response, 400, 'InvalidPart');
  state.objects.set(upload.key, Buffer.concat(parts));
  state.uploads.delete(id);
  response.end('<Result></Result>');
}

function list({ objects, uploads }: S3Server, query: URLSearchParams, response: ServerResponse) {
  const isListed = (key: string) => key.startsWith(query.get('prefix') ?? '');
  if (query.has('uploads')) {
    const found = [...uploads].filter(([, { key }]) => isListed(key));
    const text = found.map(([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`);
    return void response.end(`<Result>${text.join('')}</Result>`);
  }
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => isListed(key) && key > after).sort();
  const page = keys.slice(0, MAX_KEYS);
  const next = keys.length > MAX_KEYS ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  response.end(`<Result>${page.map((key) => `<Key>${key}</Key>`).join('')}${next}</Result>`);
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.statusCode = status;
  response.end(`<Error><Code>${code}</Code><Message>refused by the test</Message></Error>`);
}

/** Written from the description of the signature, without the code that signs. */
function isSigned({ method = '', url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const [key, date = '', region = '', service = '', end = ''] = credential.split('/');
  const signed = names.split(';');
  if (key !== ACCESS_KEY || region !== REGION || service !== 's3' || end !== 'aws4_request') return false;
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name))) return false;
  if (headers['x-amz-content-sha256'] !== hash(body)) return false;
  const [path = '', search = ''] = url.split('?');
  const canonicalHeaders = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const sorted = search.split('&').sort().join('&');
  const canonical = `${method}\n${path}\n${sorted}\n${canonicalHeaders}\n${names}\n${hash(body)}`;
  const stringToSign = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${date}/${region}/s3/aws4_request\n${hash(canonical)}`;
  const dateKey = sign(Buffer.from(`AWS4${SECRET_KEY}`), date);
  const signingKey = sign(sign(sign(dateKey, region), 's3'), 'aws4_request');
  return timingSafeEqual(sign(signingKey, stringToSign), Buffer.from(signature, 'hex'));
}

function hash(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function sign(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
