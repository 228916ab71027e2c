// A keep-alive connection to a loopback port, one request at a time, and no more parsing than it takes to find the end of an
// answer, so that the generator of the load is not what is measured.
import { connect, type Socket } from 'node:net';

export type HttpConnection = {
  /** Several parts are written together. Fails unless the answer is 200; gives the bytes of its body, framing included. */
  send(...parts: readonly Buffer[]): Promise<number>;
  close(): void;
};

type Answer = { head: Buffer | null; bodyBytes: number; tail: Buffer };

const HEAD_END = Buffer.from('\r\n\r\n');
/** JSON has no bare line ends, so that this is found at the end of a chunked body only. */
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const STATUS_OK = 'HTTP/1.1 200 ';

export async function openConnection(port: number): Promise<HttpConnection> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let answer = startAnswer();
  let wantedBytes: number | 'chunked' = 0;
  let asked: PromiseWithResolvers<number> | null = null;
  const fail = (error: Error) => asked?.reject(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  socket.on('data', (chunk: Buffer) => {
    let body = chunk;
    if (wantedBytes === 0) {
      const received = answer.head === null ? chunk : Buffer.concat([answer.head, chunk]);
      answer.head = received;
      const headBytes = received.indexOf(HEAD_END);
      if (headBytes < 0) return;
      const head = received.toString('latin1', 0, headBytes);
      body = received.subarray(headBytes + HEAD_END.length);
      if (!head.startsWith(STATUS_OK))
        return fail(new Error(`answered ${head.slice(0, 200)} ${body.toString('utf8').slice(0, 500)}`));
      wantedBytes = findLength(head);
    }
    answer.bodyBytes += body.length;
    answer.tail = Buffer.concat([answer.tail, body.subarray(-LAST_CHUNK.length)]).subarray(-LAST_CHUNK.length);
    const isDone = wantedBytes === 'chunked' ? answer.tail.equals(LAST_CHUNK) : answer.bodyBytes >= wantedBytes;
    if (!isDone) return;
    const { bodyBytes } = answer;
    answer = startAnswer();
    wantedBytes = 0;
    asked?.resolve(bodyBytes);
  });
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
  return { head: null, bodyBytes: 0, tail: Buffer.alloc(0) };
}

function findLength(head: string): number | 'chunked' {
  const length = /\ncontent-length: (\d+)/i.exec(head)?.[1];
  return length === undefined ? 'chunked' : Number(length);
}
