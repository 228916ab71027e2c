// The result of an outbound request: a response, or the reason for the failure. Never an exception.
import { ERRORS_OF_CERTIFICATES } from './certificate-errors.ts';

type OutboundReason = 'timeout' | 'refused_address' | 'connection' | 'tls' | 'too_large' | 'protocol';

export type OutboundHeaders = Readonly<Record<string, string | string[] | undefined>>;

type OutboundReply = {
  readonly ok: true;
  readonly status: number;
  readonly headers: OutboundHeaders;
  readonly body: Buffer;
};

export type OutboundFailure = {
  readonly ok: false;
  readonly reason: OutboundReason;
  readonly message: string;
  /** The status received before the failure; null if there was none. */
  readonly status: number | null;
};

export type OutboundAnswer = OutboundReply | OutboundFailure;

/** A failure with a known reason. Customers see the message, so it contains no internal address. */
export class OutboundError extends Error {
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundError';
    this.reason = reason;
  }
}

const CONNECTION_MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  EPIPE: 'The connection was reset.',
  EHOSTUNREACH: 'The host is unreachable.',
  ENETUNREACH: 'The host is unreachable.',
  EADDRNOTAVAIL: 'The host is unreachable.',
  UND_ERR_SOCKET: 'The connection was closed before the response was complete.',
  UND_ERR_INFO: 'The connection was closed before the response was complete.',
  UND_ERR_DESTROYED: 'The service is stopping.',
  UND_ERR_CLOSED: 'The service is stopping.',
};

export function asOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = readCode(error);
  const refine = (reason: OutboundReason, message: string) => new OutboundError(reason, message, { cause: error });
  if (code === 'ETIMEDOUT') return refine('timeout', 'Connecting timed out.');
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return refine('too_large', 'The response headers are too large.');
  if (ERRORS_OF_CERTIFICATES.has(code)) return refine('tls', `The certificate is not trusted (${code}).`);
  if (/^(ERR_TLS_|ERR_SSL_|EPROTO$)/.test(code)) return refine('tls', `The TLS handshake failed (${code}).`);
  if (code === 'UND_ERR_INVALID_ARG') return refine('protocol', 'The request is not valid HTTP.');
  const message = CONNECTION_MESSAGES[code];
  if (message === undefined && (isParserError(error) || code.startsWith('UND_ERR_')))
    return refine('protocol', 'The response is not valid HTTP.');
  return refine('connection', message ?? 'The connection failed.');
}

function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Compares by name, because the library is loaded only with the first request. */
function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError';
}
