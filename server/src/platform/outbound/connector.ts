// Opens connections: resolves a name once, checks all of its addresses, and connects to one of exactly these, so that DNS
// rebinding is impossible.
import { isIP, type LookupFunction, type Socket, connect as tcpConnect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import { checkTarget, isAllowedAddress, isInnerName, type OutboundRules } from './check-url.ts';
import { OutboundError } from './outbound-answer.ts';
import type { ResolveName } from './resolve-name.ts';

type ConnectorOptions = {
  readonly rules: OutboundRules;
  /** Local names are those of this machine and its network, and those that the operator or a developer chose. */
  readonly resolve: (name: string, isLocal: boolean) => ReturnType<ResolveName>;
  /** Certificate authorities that replace the well-known ones. */
  readonly ca?: string;
};

type Connect = buildConnector.connector;

const CONNECT_TIMEOUT_MS = 10_000; // for resolving, connecting and the handshake; a request can have less
const MAX_ADDRESSES = 8; // tried for one connection, however many addresses a name has

export class Connector {
  readonly #options: ConnectorOptions;
  readonly #sockets = new Set<Socket>();

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  connectFor(origin: string): Connect {
    return (target, callback) => {
      let socket: Socket | null = null;
      let isSettled = false;
      const settle = (error: Error | null) => {
        if (isSettled) return;
        isSettled = true;
        clearTimeout(limit);
        if (error === null && socket !== null) return callback(null, socket);
        socket?.destroy();
        callback(error ?? closedEarly(), null);
      };
      const limit = setTimeout(() => settle(tooSlow()), CONNECT_TIMEOUT_MS).unref();
      const dial = (addresses: readonly string[]) => {
        if (isSettled) return;
        socket = this.#open(target, addresses);
        socket.once(target.protocol === 'https:' ? 'secureConnect' : 'connect', () => settle(null));
        socket.on('error', settle);
        socket.once('close', () => settle(closedEarly()));
      };
      this.#admit(origin, target.hostname).then(dial).catch(settle);
    };
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The addresses of the host; throws if one of them is not allowed. */
  async #admit(origin: string, hostname: string): Promise<readonly string[]> {
    const { rules, resolve } = this.#options;
    const isException = rules.exceptions.has(origin);
    const check = checkTarget(origin, rules);
    if (!check.ok) throw new OutboundError('refused_address', check.reason);
    if (isIP(hostname) !== 0) return [hostname];
    const addresses = await resolve(hostname, isException || rules.allowLoopback || isInnerName(hostname));
    if (addresses.length === 0) throw new OutboundError('connection', 'The host name has no address.');
    const url = new URL(check.url);
    if (!isException && !addresses.every((address) => isAllowedAddress(address, url, rules)))
      throw new OutboundError('refused_address', 'The host name resolves to an address that is not allowed.');
    return addresses.slice(0, MAX_ADDRESSES);
  }

  #open({ hostname, protocol, port }: buildConnector.Options, addresses: readonly string[]): Socket {
    const isSecure = protocol === 'https:';
    const target = {
      host: hostname,
      port: Number(port || (isSecure ? 443 : 80)),
      lookup: answerWith(addresses),
      autoSelectFamily: true,
      noDelay: true,
    };
    const { ca } = this.#options;
    const socket = isSecure
      ? tlsConnect({
          ...target,
          // The environment can disable certificate checks for the process, but not here.
          rejectUnauthorized: true,
          ALPNProtocols: ['http/1.1'],
          ...(isIP(hostname) === 0 && { servername: hostname }),
          ...(ca !== undefined && { ca }),
        })
      : tcpConnect(target);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }
}

/** Replaces Node's look-up. Node does not call it for IP addresses, which were already checked. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, done) => {
    if (options.all) done(null, answers);
    else done(null, answers[0]?.address ?? '', answers[0]?.family ?? 0);
  };
}

function tooSlow(): OutboundError {
  return new OutboundError('timeout', 'Connecting timed out.');
}

function closedEarly(): OutboundError {
  return new OutboundError('connection', 'The connection was closed.');
}
