// An export into S3-compatible storage. Keys and region come from the variables of the AWS tools.
import { createS3Client } from '../platform/s3/index.ts';
import { VERSION } from '../version.ts';
import { type ExportTarget, groupByOwner, ownerOf } from './export-target.ts';
import { CommandError, type Terminal } from './terminal.ts';

const SCHEME = 's3://';
const DEFAULT_REGION = 'us-east-1';
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

export function isBucket(to: string): boolean {
  return to.startsWith(SCHEME);
}

export async function openBucket(
  { environment }: Pick<Terminal, 'environment'>,
  to: string,
  endpointOption: string | undefined,
): Promise<ExportTarget> {
  const [bucket = '', ...parts] = to.slice(SCHEME.length).split('/');
  const folders = parts.filter((part) => part !== '');
  if (!BUCKET.test(bucket) || folders.some((part) => part === '.' || part === '..'))
    throw new CommandError(`${to} is not a target such as s3://bucket/folder.`);
  const prefix = folders.map((part) => `${part}/`).join('');
  const read = (name: string) => environment[name]?.trim() || undefined; // secrets in files often end with a line break
  const s3 = createS3Client({
    bucket,
    endpoint: readEndpoint(endpointOption ?? read('AWS_ENDPOINT_URL_S3') ?? read('AWS_ENDPOINT_URL')),
    region: read('AWS_REGION') ?? read('AWS_DEFAULT_REGION') ?? DEFAULT_REGION,
    credentials: {
      accessKeyId: requireKey('AWS_ACCESS_KEY_ID', read),
      secretAccessKey: requireKey('AWS_SECRET_ACCESS_KEY', read),
      sessionToken: read('AWS_SESSION_TOKEN') ?? null,
    },
    userAgent: `tributary-export/${VERSION}`,
  });
  return {
    name: to,
    read: async (name) => (await s3.read(prefix + name))?.toString() ?? null,
    write: (name, chunks) => s3.writeStream(prefix + name, chunks),
    create: (name, bytes) => s3.create(prefix + name, bytes),
    removeUnfinished: () => s3.abortUploads(prefix, (key) => ownerOf(key.slice(prefix.length)) !== null),
    find: async () => groupByOwner((await s3.list(prefix)).map((key) => key.slice(prefix.length))),
    async remove(names) {
      for (const name of names) await s3.remove(prefix + name);
    },
  };
}

function requireKey(name: string, read: (name: string) => string | undefined): string {
  const value = read(name);
  if (value === undefined) throw new CommandError(`Set ${name} to the key of the storage.`);
  return value;
}

/** Health data crosses a network only encrypted. */
function readEndpoint(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (!isAllowed)
    throw new CommandError(`The endpoint ${text} must be an https URL. Use http only for a storage on this machine.`);
  return text;
}
