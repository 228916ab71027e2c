// One half of the connections, in a separate process because of its file descriptors: opens COUNT connections to URL, reports
// it, waits for a line, sends one request on each connection, and prints the count per path and response.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const [url = '', count = '0', key = ''] = process.argv.slice(2);
const { hostname, port, host } = new URL(url);
const AT_ONCE = 250; // below the smallest usual backlog of a listening socket

async function openConnections(): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < Number(count)) {
    const batch = Array.from({ length: Math.min(AT_ONCE, Number(count) - sockets.length) }, () =>
      connect(Number(port), hostname),
    );
    await Promise.all(batch.map((socket) => once(socket, 'connect')));
    sockets.push(...batch);
  }
  return sockets;
}

/** The path with the status and code, or with what was wrong with the response. */
function sendRequest(socket: Socket, path: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    socket.setEncoding('utf8').on('data', (text) => {
      received += text;
    });
    socket.on('error', (error) => resolve(`${path} ${error.message}`));
    socket.on('close', () => resolve(`${path} ${judge(received)}`));
    const authorization = key === '' || path === '/healthz' ? '' : `authorization: Bearer ${key}\r\n`;
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n${authorization}\r\n`);
  });
}

function judge(answer: string): string {
  const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'nothing';
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const size = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (Number(size) !== Buffer.byteLength(body)) return `${status} with an incomplete body: ${answer}`;
  if (status === '200') return status;
  const code = /^\{"error":"(\w+)","message":".*","details":\{.*\}\}$/.exec(body)?.[1];
  const isShaped = code !== undefined && /\r\nretry-after: [1-9]/i.test(head);
  return isShaped ? `${status} ${code}` : `${status} with a malformed body: ${answer}`;
}

const sockets = await openConnections();
process.stdout.write('connected\n');
await once(process.stdin, 'data');
const answers = await Promise.all(
  sockets.map((socket, index) => sendRequest(socket, index % 2 === 0 ? '/healthz' : '/v1/users')),
);
const counts = Object.fromEntries(
  Object.entries(Object.groupBy(answers, (answer) => answer)).map(([k, v]) => [k, v?.length]),
);
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exit(0);
