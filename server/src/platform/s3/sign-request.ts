// Signs a request with AWS Signature Version 4, as every S3-compatible storage accepts it. Pure.
import { createHash, createHmac } from 'node:crypto';

export type S3Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
};

type SignedRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the body, in hexadecimal. */
  readonly bodyHash: string;
  readonly region: string;
  readonly credentials: S3Credentials;
  readonly now: Date;
};

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** Returns all headers, with the signature. The URL must be encoded with `encodeKey` and `encodeQuery`. */
export function signRequest(request: SignedRequest): Record<string, string> {
  const { method, url, bodyHash, region, credentials, now } = request;
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
    ...(credentials.sessionToken !== null && { 'x-amz-security-token': credentials.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...names.map((name) => `${name}:${headers[name]?.trim()}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n');
  const text = [ALGORITHM, time, scope, hashHex(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${credentials.secretAccessKey}`);
  const signature = hmac(key, text).toString('hex');
  headers.authorization = `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}`;
  return headers;
}

export function hashHex(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

export function encodeKey(key: string): string {
  return key.split('/').map(encodePart).join('/');
}

/** Sorted, as the signature needs it. */
export function encodeQuery(query: Readonly<Record<string, string>>): string {
  const entries = Object.entries(query).map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`);
  return entries.sort().join('&');
}

/** Everything but the unreserved characters of RFC 3986. */
function encodePart(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
