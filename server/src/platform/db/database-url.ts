// Parses DATABASE_URL, which can name several hosts as in libpq: postgres://user@a:5432,b:5433/name?target_session_attrs=read-write.

export type DatabaseHost = { readonly host: string; readonly port: number };

type DatabaseUrl = {
  /** What the driver reads: one host, and no parameter that only this module knows. */
  readonly driverUrl: string;
  /** Several hosts; empty if the driver finds its only host in `driverUrl`. */
  readonly hosts: readonly DatabaseHost[];
  /** Connect only to a server that accepts writes. */
  readonly isWritable: boolean;
  /** Hosts and name, for messages: without user and password. */
  readonly location: string;
};

const PARTS =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?:(?<credentials>[^/?#]*)@)?(?<hosts>[^/?#@]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;
const HOST = /^(?:\[(?<address>[^\]]+)\]|(?<name>[^:[\]]*))(?::(?<port>\d*))?$/;
const DEFAULT_PORT = 5432;
const TARGET = 'target_session_attrs';
const TARGETS = ['any', 'read-write'];

/** Throws a text that completes "DATABASE_URL …". */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const { scheme = '', credentials, hosts: authority = '', path = '', query = '' } = PARTS.exec(text)?.groups ?? {};
  const user = credentials === undefined ? '' : `${credentials}@`;
  const isCut = credentials === undefined && `${path}${query}`.includes('@'); // a password with / or ?, which no message may show
  if (isCut || scheme === '' || !URL.canParse(`${scheme}${user}${authority.split(',')[0] || 'localhost'}${path}`))
    throw new Error(NOT_A_URL);
  const parameters = new URLSearchParams(query);
  const target = parameters.get(TARGET);
  if (target !== null && !TARGETS.includes(target))
    throw new Error(`has ${TARGET}=${target}; set it to ${TARGETS.join(' or ')}, because Tributary writes.`);
  const hosts = listHosts(authority, parameters);
  const location = `${hosts.length > 1 ? hosts.map(describeHost).join() : (parameters.get('host') ?? authority)}${path}`;
  // Reads and writes have connections of their own: with several hosts they must not end up at different servers.
  if (target === 'any' && hosts.length > 1)
    throw new Error(`has ${TARGET}=any with several hosts; set it to read-write.`);
  const isWritable = target === null ? hosts.length > 1 : target === 'read-write';
  const [first] = hosts;
  if (hosts.length > 1 && first) return { driverUrl: withHost(text, first), hosts, isWritable, location };
  parameters.delete(TARGET);
  const driverUrl = target === null ? text : `${scheme}${user}${authority}${path}?${parameters}`;
  return { driverUrl, hosts: [], isWritable, location };
}

/** The same database, user and parameters on another host. */
export function withHost(url: string, { host, port }: DatabaseHost): string {
  const { scheme = '', credentials, path, query = '' } = PARTS.exec(url)?.groups ?? {};
  const parameters = new URLSearchParams(query);
  parameters.delete(TARGET);
  parameters.set('host', host);
  parameters.set('port', String(port));
  return `${scheme}${credentials === undefined ? '' : `${credentials}@`}${path || '/'}?${parameters}`;
}

export function describeHost({ host, port }: DatabaseHost): string {
  return host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const NOT_A_URL =
  'is not a URL; set it to one that begins with postgres:// or postgresql://. Write characters such as # / ? @ in a password as %23 %2F %3F %40.';

/** The parameters host and port win over the hosts before the path, as in libpq. */
function listHosts(authority: string, parameters: URLSearchParams): DatabaseHost[] {
  const named = parameters.get('host');
  const fromPath = authority.split(',').map(readHost);
  if (named === null) return requireNames(fromPath);
  const names = named.split(',');
  const ports = parameters.get('port')?.split(',') ?? fromPath.map(({ port }) => String(port));
  if (ports.length !== 1 && ports.length !== names.length)
    throw new Error(`has ${names.length} hosts but ${ports.length} ports; give one port, or one for each host.`);
  return requireNames(names.map((host, index) => ({ host, port: readPort(ports[index] ?? ports[0] ?? '') })));
}

/** Throws a text that completes "TRIBUTARY_CITUS_NODES …". */
export function readHost(text: string): DatabaseHost {
  const { address, name, port } = HOST.exec(text)?.groups ?? {};
  const host = address ?? name;
  if (host === undefined) throw new Error(`has the host "${text}"; write NAME:PORT, or [ADDRESS]:PORT for IPv6.`);
  return { host: decodeURIComponent(host), port: readPort(port ?? '') };
}

function readPort(text: string): number {
  const port = text === '' ? DEFAULT_PORT : Number(text);
  if (!(Number.isInteger(port) && port > 0 && port < 65_536))
    throw new Error(`has the port "${text}"; set it to a number from 1 to 65535.`);
  return port;
}

function requireNames(hosts: DatabaseHost[]): DatabaseHost[] {
  if (hosts.length > 1 && hosts.some(({ host }) => host === ''))
    throw new Error('has an empty host in its list; name every host, separated by commas.');
  return hosts;
}
