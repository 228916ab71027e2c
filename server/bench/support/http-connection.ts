// A keep-alive connection to a loopback port with one request at a time. It parses only enough to find the end of a response,
// so that the load generator is not the bottleneck.
import { connect, type Socket } from 'node:net';

export type HttpConnection = {
  /** Writes several parts at once. Fails unless the status is 200; returns the body size in bytes, framing included. */
  send(...parts: readonly Buffer[]): Promise<number>;
  close(): void;
};

type Answer = { head: Buffer; wantedBytes: number | 'chunked' | null; bodyBytes: number; tail: Buffer };

const HEAD_END = Buffer.from('\r\n\r\n');
/** JSON contains no bare line ends, so this occurs only at the end of a chunked body. */
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const STATUS_OK = 'HTTP/1.1 200 ';
const NOTHING = Buffer.alloc(0);
/** One buffer for all connections: received bytes are processed before the next read. */
const READ_BUFFER = Buffer.allocUnsafeSlow(65_536);

export async function openConnection(port: number): Promise<HttpConnection> {
  let answer = startAnswer();
  let pending: PromiseWithResolvers<number> | null = null;
  const fail = (error: Error) => pending?.reject(error);
  const read = (chunk: Buffer) => {
    const body = answer.wantedBytes === null ? readHead(answer, chunk) : chunk;
    if (body instanceof Error) return fail(body);
    if (body === null || !readBody(answer, body)) return;
    const { bodyBytes } = answer;
    answer = startAnswer();
    pending?.resolve(bodyBytes);
  };
  const socket: Socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer: READ_BUFFER,
      callback: (length) => {
        read(READ_BUFFER.subarray(0, length));
        return true;
      },
    },
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return {
    send(...parts) {
      pending = Promise.withResolvers<number>();
      socket.cork();
      for (const part of parts) socket.write(part);
      socket.uncork();
      return pending.promise;
    },
    close: () => {
      socket.removeAllListeners('close');
      socket.destroy();
    },
  };
}

function startAnswer(): Answer {
  return { head: NOTHING, wantedBytes: null, bodyBytes: 0, tail: NOTHING };
}

/** The bytes after the head; null while the head is incomplete. */
function readHead(answer: Answer, chunk: Buffer): Buffer | Error | null {
  const received = answer.head.length === 0 ? chunk : Buffer.concat([answer.head, chunk]);
  const headBytes = received.indexOf(HEAD_END);
  if (headBytes < 0) {
    answer.head = Buffer.from(received); // the next read overwrites the buffer
    return null;
  }
  const head = received.toString('latin1', 0, headBytes);
  const body = received.subarray(headBytes + HEAD_END.length);
  if (!head.startsWith(STATUS_OK))
    return new Error(`answered ${head.slice(0, 200)} ${body.toString('utf8').slice(0, 500)}`);
  answer.wantedBytes = findLength(head);
  return body;
}

/** Returns whether the body is complete. */
function readBody(answer: Answer, body: Buffer): boolean {
  answer.bodyBytes += body.length;
  if (answer.wantedBytes !== 'chunked') return answer.bodyBytes >= (answer.wantedBytes ?? 0);
  answer.tail = Buffer.concat([answer.tail, body.subarray(-LAST_CHUNK.length)]).subarray(-LAST_CHUNK.length);
  return answer.tail.equals(LAST_CHUNK);
}

function findLength(head: string): number | 'chunked' {
  const length = /\ncontent-length: (\d+)/i.exec(head)?.[1];
  return length === undefined ? 'chunked' : Number(length);
}
