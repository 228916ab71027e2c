// A keep-alive connection to a loopback port, one request at a time, and no more parsing than it takes to find the end of an
// answer, so that the generator of the load is not what is measured.
import { connect, type Socket } from 'node:net';

export type HttpConnection = {
  /** Several parts are written together. Fails unless the answer is 200; gives the bytes of its body, framing included. */
  send(...parts: readonly Buffer[]): Promise<number>;
  close(): void;
};

type Answer = { head: Buffer; wantedBytes: number | 'chunked' | null; bodyBytes: number; tail: Buffer };

const HEAD_END = Buffer.from('\r\n\r\n');
/** JSON has no bare line ends, so that this is found at the end of a chunked body only. */
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const STATUS_OK = 'HTTP/1.1 200 ';
const NOTHING = Buffer.alloc(0);
/** Of all connections: what is read is looked at before the next is. */
const READ_BUFFER = Buffer.allocUnsafeSlow(65_536);

export async function openConnection(port: number): Promise<HttpConnection> {
  let answer = startAnswer();
  let asked: PromiseWithResolvers<number> | null = null;
  const fail = (error: Error) => asked?.reject(error);
  const read = (chunk: Buffer) => {
    const body = answer.wantedBytes === null ? readHead(answer, chunk) : chunk;
    if (body instanceof Error) return fail(body);
    if (body === null || !readBody(answer, body)) return;
    const { bodyBytes } = answer;
    answer = startAnswer();
    asked?.resolve(bodyBytes);
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
      asked = Promise.withResolvers<number>();
      socket.cork();
      for (const part of parts) socket.write(part);
      socket.uncork();
      return asked.promise;
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

/** What follows the head; null while it has not ended. */
function readHead(answer: Answer, chunk: Buffer): Buffer | Error | null {
  const received = answer.head.length === 0 ? chunk : Buffer.concat([answer.head, chunk]);
  const headBytes = received.indexOf(HEAD_END);
  if (headBytes < 0) {
    answer.head = Buffer.from(received); // the next is read into the same bytes
    return null;
  }
  const head = received.toString('latin1', 0, headBytes);
  const body = received.subarray(headBytes + HEAD_END.length);
  if (!head.startsWith(STATUS_OK))
    return new Error(`answered ${head.slice(0, 200)} ${body.toString('utf8').slice(0, 500)}`);
  answer.wantedBytes = findLength(head);
  return body;
}

/** Whether it has ended. */
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
