// Opens connections, and decides at that moment where to: a name is resolved once, all of its addresses are checked, and
// one of exactly these is connected to. An answer that changes in between (DNS rebinding) has no between to use.
import { isIP, type LookupFunction, type Socket, connect as tcpConnect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import { isOpenAddress } from './address-kind.ts';
import { checkTarget, type OutboundRules } from './check-url.ts';
import { OutboundError } from './outbound-answer.ts';
import type { ResolveName } from './resolve-name.ts';

export type ConnectorOptions = {
  readonly rules: OutboundRules;
  /** Trusted names are the operator's own, the others a stranger's. */
  readonly resolve: (name: string, isTrusted: boolean) => ReturnType<ResolveName>;
  /** Instead of the well-known authorities. */
  readonly ca?: string;
};

type Connect = buildConnector.connector;

const CONNECT_TIMEOUT_MS = 10_000; // resolving, connecting and the handshake; a request may have less
const MAX_ADDRESSES = 8; // tried for one connection; a name with a thousand must not make us knock a thousand times

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

  /** The addresses that may be connected to; throws if there is one among them that may not. */
  async #admit(origin: string, hostname: string): Promise<readonly string[]> {
    const { rules, resolve } = this.#options;
    const isException = rules.exceptions.has(origin);
    const check = checkTarget(origin, rules);
    if (!check.ok) throw new OutboundError('refused_address', check.reason);
    if (isIP(hostname) !== 0) return [hostname];
    const addresses = await resolve(hostname, isException || rules.allowPrivate);
    if (addresses.length === 0) throw new OutboundError('connection', 'The name of the host has no address.');
    if (!isException && !addresses.every((address) => isOpenAddress(address, rules.allowPrivate)))
      throw new OutboundError('refused_address', 'The name of the host leads to a private or reserved address.');
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
          // The environment can switch the check of certificates off for the whole process, but not here.
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

/** Node asks this instead of a name server. It does not ask at all for an address, which was checked as it stands. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, done) => {
    if (options.all) done(null, answers);
    else done(null, answers[0]?.address ?? '', answers[0]?.family ?? 0);
  };
}

function tooSlow(): OutboundError {
  return new OutboundError('timeout', 'The connection was not established in time.');
}

function closedEarly(): OutboundError {
  return new OutboundError('connection', 'The connection was closed.');
}
