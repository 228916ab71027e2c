// A name server on loopback whose answers a test controls, also differently for each query.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { TestContext } from 'node:test';

type NameQuestion = { readonly name: string; readonly family: 4 | 6 };

const TYPE_A = 1;
const TYPE_AAAA = 28;
const HEADER_BYTES = 12;

/** Resolves to "address:port". Null sends no answer. Addresses are 4 or 16 bytes. */
export async function startNameServer(
  t: TestContext,
  answer: (question: NameQuestion) => readonly (readonly number[])[] | null,
): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, sender) => {
    const { question, end } = readQuestion(query);
    const addresses = answer(question);
    if (addresses !== null) socket.send(writeAnswer(query.subarray(0, end), addresses), sender.port, sender.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

function readQuestion(query: Buffer): { question: NameQuestion; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const family = query.readUInt16BE(at + 1) === TYPE_AAAA ? 6 : 4;
  return { question: { name: labels.join('.'), family }, end: at + 5 };
}

function writeAnswer(query: Buffer, addresses: readonly (readonly number[])[]): Buffer {
  const header = Buffer.from(query);
  header.writeUInt16BE(0x8180, 2); // a successful answer, recursion available
  header.writeUInt16BE(addresses.length, 6);
  header.fill(0, 8, HEADER_BYTES);
  const records = addresses.map((bytes) => {
    const type = bytes.length === 4 ? TYPE_A : TYPE_AAAA;
    return Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
  });
  return Buffer.concat([header, ...records]);
}
