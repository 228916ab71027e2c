// The address that rate limits count, behind reverse proxies: a table of connections and X-Forwarded-For headers, sent as real
// requests. The clock does not advance, so that a bucket loses exactly the requests that were counted against it.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, describe, it } from 'node:test';
import { SECOND_MS } from '../../src/domain/time/durations.ts';
import { mintApiKey } from '../../src/features/tenancy/accounts/api-key.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const CLIENT = '203.0.113.7';
const CLIENT_6 = '2001:db8:7:7::7';
const OTHER = '198.51.100.9';
/** The test connects from this address. */
const PEER = '127.0.0.1';

type Case = {
  readonly title: string;
  /** One entry per header line. */
  readonly sent: readonly string[];
  /** The address that must be counted. */
  readonly counted: string;
};
type Setting = {
  readonly title: string;
  readonly proxies: string;
  readonly host?: string;
  readonly cases: readonly Case[];
};

const SETTINGS: readonly Setting[] = [
  {
    title: 'no proxy is configured',
    proxies: '',
    cases: [
      { title: 'counts the peer without a header', sent: [], counted: PEER },
      { title: 'ignores the header', sent: [CLIENT], counted: PEER },
      { title: 'ignores several entries and lines', sent: [`${OTHER}, ${CLIENT}`, CLIENT_6], counted: PEER },
    ],
  },
  {
    title: 'the peer is not one of the proxies',
    proxies: '192.0.2.1,10.0.0.0/8',
    cases: [
      { title: 'ignores the header', sent: [CLIENT], counted: PEER },
      { title: 'ignores a header that names a trusted proxy', sent: [`${CLIENT}, 10.0.0.1`], counted: PEER },
    ],
  },
  {
    title: 'the peer is the only proxy',
    proxies: PEER,
    cases: [
      { title: 'counts the proxy itself without a header', sent: [], counted: PEER },
      { title: 'counts the proxy itself with an empty header', sent: [' , '], counted: PEER },
      { title: 'counts the entry of the proxy', sent: [CLIENT], counted: CLIENT },
      { title: 'ignores spoofed entries before it', sent: [`${OTHER}, 10.0.0.1, ${CLIENT}`], counted: CLIENT },
      { title: 'ignores a spoofed trusted address before it', sent: [`${PEER}, ${CLIENT}`], counted: CLIENT },
      { title: 'ignores malformed entries before it', sent: [`<script>, 999.1.1.1, ${CLIENT}`], counted: CLIENT },
      { title: 'reads the last of several lines', sent: [OTHER, CLIENT], counted: CLIENT },
      { title: 'reads an entry without spaces and with many', sent: [`${OTHER},\t ${CLIENT}  `], counted: CLIENT },
      { title: 'skips empty entries', sent: [`${CLIENT}, ,`], counted: CLIENT },
      { title: 'counts an IPv4 address without its port', sent: [`${CLIENT}:49152`], counted: CLIENT },
      { title: 'counts IPv4-mapped IPv6 as IPv4', sent: [`::ffff:${CLIENT}`], counted: CLIENT },
      { title: 'counts IPv4-mapped IPv6 in hex as IPv4', sent: ['::FFFF:CB00:7107'], counted: CLIENT },
      {
        title: 'counts IPv4-mapped IPv6 with all groups as IPv4',
        sent: ['0:0:0:0:0:ffff:203.0.113.7'],
        counted: CLIENT,
      },
      { title: 'counts IPv6', sent: [CLIENT_6], counted: CLIENT_6 },
      { title: 'counts IPv6 by its /64', sent: ['2001:db8:7:7:1:2:3:4'], counted: CLIENT_6 },
      { title: 'counts IPv6 in another spelling', sent: ['2001:0DB8:0007:0007:0:0:0:7'], counted: CLIENT_6 },
      { title: 'counts IPv6 in brackets', sent: [`[${CLIENT_6}]`], counted: CLIENT_6 },
      { title: 'counts IPv6 in brackets without its port', sent: [`[${CLIENT_6}]:443`], counted: CLIENT_6 },
      { title: 'counts the proxy for an entry that is not an address', sent: [`${CLIENT}, unknown`], counted: PEER },
      { title: 'counts the proxy for a host name', sent: ['client.example'], counted: PEER },
      { title: 'counts the proxy for an invalid address', sent: [`${CLIENT}, 300.0.0.1`], counted: PEER },
      { title: 'counts the proxy for a number', sent: ['3405803783'], counted: PEER },
      { title: 'counts the proxy for IPv4 in brackets', sent: [`[${CLIENT}]`], counted: PEER },
      { title: 'counts the proxy for an unfinished bracket', sent: [`[${CLIENT_6}`], counted: PEER },
    ],
  },
  {
    title: 'there are several proxies',
    proxies: `${PEER}, 10.0.0.0/8, 2001:db8:ffff::/48`,
    cases: [
      { title: 'counts the client behind one', sent: [CLIENT], counted: CLIENT },
      { title: 'counts the client behind two', sent: [`${CLIENT}, 10.1.2.3`], counted: CLIENT },
      { title: 'counts the client behind three', sent: [`${CLIENT}, 2001:db8:ffff::1, 10.1.2.3`], counted: CLIENT },
      { title: 'ignores spoofed entries', sent: [`${OTHER}, 10.9.9.9, ${CLIENT}, 10.1.2.3`], counted: CLIENT },
      { title: 'joins the lines of two proxies', sent: [`${OTHER}, ${CLIENT}`, '10.1.2.3'], counted: CLIENT },
      { title: 'recognizes a proxy with a port', sent: [`${CLIENT}, 10.1.2.3:8443`], counted: CLIENT },
      { title: 'recognizes an IPv4-mapped proxy', sent: [`${CLIENT}, ::ffff:10.1.2.3`], counted: CLIENT },
      { title: 'recognizes a proxy in another spelling', sent: [`${CLIENT}, 2001:0DB8:FFFF:0::1`], counted: CLIENT },
      { title: 'recognizes a proxy in brackets', sent: [`${CLIENT}, [2001:db8:ffff::1]:443`], counted: CLIENT },
      { title: 'counts a proxy that does not know its client', sent: [`${CLIENT}, -, 10.1.2.3`], counted: '10.1.2.3' },
      { title: 'counts the first one if all are proxies', sent: ['10.4.4.4, 10.5.5.5'], counted: '10.4.4.4' },
    ],
  },
  {
    title: 'every address is a proxy',
    proxies: '0.0.0.0/0',
    cases: [{ title: 'counts the first entry', sent: [`${OTHER}, ${CLIENT}`], counted: OTHER }],
  },
  {
    title: 'the peer is IPv4-mapped, on a socket for both families',
    proxies: PEER,
    host: '::',
    cases: [
      { title: 'recognizes the proxy', sent: [`${OTHER}, ${CLIENT}`], counted: CLIENT },
      { title: 'counts the proxy itself without a header', sent: [], counted: PEER },
    ],
  },
  {
    title: 'the list is IPv4-mapped',
    proxies: `::ffff:${PEER}, ::ffff:10.0.0.0/104`,
    cases: [{ title: 'recognizes the proxies', sent: [`${OTHER}, ${CLIENT}, 10.1.2.3`], counted: CLIENT }],
  },
];

/** The requests that are counted by address: without a credential, with an unknown key, and with a wrong secret. */
const CALLS = {
  'an anonymous call': { path: '/version' },
  'an unknown API key': { path: '/v1/users', key: true },
  'a wrong secret': { path: '/v1/sdk/sessions/exchange', body: JSON.stringify({ client_token: 'ct_guess' }) },
} as const;
type Call = (typeof CALLS)[keyof typeof CALLS] & { readonly key?: boolean; readonly body?: string };

const clock = createFrozenClock();
const services: TestService[] = [];
after(async () => {
  for (const service of services) await service.stop();
});

for (const { title, proxies, host, cases } of SETTINGS) {
  describe(`when ${title}`, async () => {
    const service = await start(proxies, host);
    for (const { title: behaviour, sent, counted } of cases)
      it(behaviour, async () => {
        for (const [name, call] of Object.entries(CALLS)) {
          clock.advance(1_000 * SECOND_MS); // every bucket is full again
          const full = await send(service, call, directHeader(counted));
          await send(service, call, sent);
          const rest = await send(service, call, directHeader(counted));
          assert.equal(rest, full - 2, `${name}: ${sent} was not counted against ${counted}`);
        }
      });
  });
}

/** A header that certainly leads to this address. */
function directHeader(counted: string): string[] {
  return counted === PEER ? [] : [counted];
}

async function start(proxies: string, host: string | undefined): Promise<TestService> {
  const service = await startTestService({
    clock,
    role: 'api',
    realLimits: true,
    environment: {
      TRIBUTARY_MASTER_KEY: '1'.repeat(64),
      TRIBUTARY_TRUSTED_PROXIES: proxies,
      ...(host && { HOST: host }),
    },
  });
  services.push(service);
  return service;
}

/** Returns how many requests the counted bucket has left. */
function send(service: TestService, call: Call, forwarded: readonly string[]): Promise<number> {
  const { port } = new URL(service.url);
  const headers = [
    ['Host', `${PEER}:${port}`],
    ['Connection', 'close'],
    ...forwarded.map((line) => ['X-Forwarded-For', line]),
    ...(call.key ? [['Authorization', `Bearer ${mintApiKey('live')}`]] : []),
    ...(call.body === undefined
      ? []
      : [
          ['Content-Type', 'application/json'],
          ['Content-Length', String(call.body.length)],
        ]),
  ];
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const method = call.body === undefined ? 'GET' : 'POST';
  const sent = request({ host: PEER, port, path: call.path, method, headers: headers.flat() }, (response) => {
    response.resume();
    const left = /r=(\d+);/.exec(String(response.headers.ratelimit))?.[1];
    if (left === undefined) reject(new Error(`${response.statusCode} without a rate limit`));
    else resolve(Number(left));
  });
  sent.on('error', reject);
  sent.end(call.body);
  return promise;
}
