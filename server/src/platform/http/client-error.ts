// Replies to requests that are not valid HTTP and reach no route, in the usual error format, directly on the socket.

import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { http } from '../node-http.ts';
import { formatError } from './reply.ts';

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'header_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = CODES[error.code ?? ''] ?? 'invalid_parameter';
  const { status, message } = ERROR_CODES[code];
  const details =
    code === 'invalid_parameter' ? { issues: [{ path: '', message: 'the request is not valid HTTP' }] } : {};
  const body = formatError(code, message, details);
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: req_${randomBytes(9).toString('hex')}`,
    'api-form: 1',
    'vary: Api-Form, Authorization',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
