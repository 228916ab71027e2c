// No request ends up inside: counted at a listener on every address of this machine.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startNameServer } from '../../../test/support/name-server.ts';
import { answerRaw, startRawEndpoint } from '../../../test/support/raw-endpoint.ts';
import { listRefusedUrls, REFUSED_IPV4, REFUSED_IPV6 } from '../../../test/support/refused-urls.ts';
import { listRanges } from '../address-ranges.ts';
import { checkUrl, PUBLIC_ONLY } from './check-url.ts';
import { Connector } from './connector.ts';
import { createOutbound, type OutboundOptions } from './outbound.ts';
import { createNameResolver } from './resolve-name.ts';

const PUBLIC = '192.31.195.255'; // stands for any: nothing here connects to it
const NOWHERE = '2d00::1'; // among the public ones, but given to nobody: connecting fails or hangs

function makeOutbound(t: TestContext, options: Partial<OutboundOptions>) {
  const outbound = createOutbound(options);
  t.after(() => outbound.close());
  return outbound;
}

function startSentinel(t: TestContext) {
  return startRawEndpoint(t, answerRaw('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), '::');
}

/** Past the check of the text, straight to the connection. */
function connectTo(connector: Connector, origin: string, hostname: string, port: number): Promise<Error | null> {
  const connect = connector.connectFor(origin);
  return new Promise((done) =>
    connect({ protocol: 'https:', hostname, port: String(port) }, (error, socket) => {
      socket?.destroy();
      done(error);
    }),
  );
}

describe('refused URLs', () => {
  it('are rejected as text, when sending and when connecting, without any connection', async (t) => {
    const sentinel = await startSentinel(t);
    const outbound = makeOutbound(t, { resolve: async () => ['127.0.0.1'] });
    const connector = new Connector({ rules: PUBLIC_ONLY, resolve: async () => ['127.0.0.1'] });
    const urls = listRefusedUrls(sentinel.port);
    assert.ok(new Set(urls).size >= 120, `${urls.length} URLs`);
    for (const url of urls) {
      assert.equal(checkUrl(url, PUBLIC_ONLY).ok, false, url);
      const answer = await outbound.post(url, { body: '{}' });
      assert.equal(answer.ok ? 'sent' : answer.reason, 'refused_address', url);
      if (!URL.canParse(url)) continue;
      const { origin, hostname } = new URL(url);
      const error = await connectTo(connector, origin, hostname.replace(/^\[|\]$/g, ''), sentinel.port);
      assert.match(String(error), /private or reserved address|must have a public host name/, url);
    }
    assert.equal(sentinel.accepted, 0);
    assert.deepEqual(outbound.readLoad(), { origins: 0, sockets: 0 });

    const open = makeOutbound(t, { allowLoopback: true });
    assert.equal((await open.post(`${sentinel.origin}/hook`, { body: '{}' })).ok, true);
    assert.equal(sentinel.accepted, 1, 'the sentinel counts');
  });

  it('are rejected if a public name resolves to them, alone or among public addresses', async (t) => {
    const sentinel = await startSentinel(t);
    const inner = [...REFUSED_IPV4, ...REFUSED_IPV6, '::1%lo', 'fe80::1%eth0', '', 'localhost', '127.1'];
    const answers = inner.flatMap((address) => [[address], [PUBLIC, address], [address, '2606:4700:4700::1111']]);
    let answer: readonly string[] = [];
    const outbound = makeOutbound(t, { resolve: async () => answer });
    for (answer of answers) {
      const outcome = await outbound.post(`https://hooks.example.com:${sentinel.port}/`, { body: '{}' });
      assert.equal(outcome.ok ? 'sent' : outcome.reason, 'refused_address', answer.join(' '));
    }
    assert.equal(sentinel.accepted, 0);
  });

  it('are rejected in development too if they are metadata addresses', async (t) => {
    const sentinel = await startSentinel(t);
    const outbound = makeOutbound(t, { allowLoopback: true, resolve: async () => ['127.0.0.1', '169.254.169.254'] });
    for (const host of ['metadata', 'metadata.google.internal', 'localhost', '169.254.169.254', '[fd00:ec2::254]']) {
      const answer = await outbound.post(`http://${host}:${sentinel.port}/`, { body: '{}' });
      assert.equal(answer.ok ? 'sent' : answer.reason, 'refused_address', host);
    }
    assert.equal(sentinel.accepted, 0);
  });
});

describe('a name in the networks of the operator', () => {
  const NAMES = ['receiver', 'receiver.internal', 'receiver.local', 'hooks.example.com', 'localhost'];

  it('is called over http if all of its addresses are in them', async (t) => {
    const sentinel = await startSentinel(t);
    const networks = listRanges(['127.0.0.0/8']);
    const outbound = makeOutbound(t, { networks, resolve: async () => ['127.0.0.1'] });
    for (const name of NAMES) {
      const answer = await outbound.post(`http://${name}:${sentinel.port}/`, { body: '{}' });
      assert.equal(answer.ok ? 'sent' : answer.message, 'sent', name);
    }
    assert.equal(sentinel.accepted, NAMES.length);
  });

  it('is refused with any other address, and with one that no network opens', async (t) => {
    const sentinel = await startSentinel(t);
    const answers = [
      ...[
        ['127.0.0.1'],
        ['10.0.0.1', '127.0.0.1'],
        ['10.0.0.1', '192.168.1.1'],
        ['::1'],
        ['fd00::1', '::ffff:127.0.0.1'],
      ],
      ...[
        ['169.254.169.254'],
        ['10.0.0.1', '169.254.169.254'],
        ['fd00:ec2::254'],
        ['fe80::1'],
        ['0.0.0.0'],
        ['224.0.0.1'],
      ],
    ];
    for (const addresses of answers) {
      const networks = listRanges([
        '10.0.0.0/8',
        'fd00::/8',
        '169.254.0.0/16',
        'fe80::/10',
        '0.0.0.0/8',
        '224.0.0.0/4',
      ]);
      const outbound = makeOutbound(t, { networks, resolve: async () => addresses });
      for (const name of NAMES)
        for (const protocol of ['http', 'https']) {
          const answer = await outbound.post(`${protocol}://${name}:${sentinel.port}/`, { body: '{}' });
          assert.equal(answer.ok ? 'sent' : answer.reason, 'refused_address', `${protocol} ${name} ${addresses}`);
        }
    }
    assert.equal(sentinel.accepted, 0);
  });

  it('is resolved by the operating system if it is a name of the network, else by the name servers', async () => {
    const asked: [string, boolean][] = [];
    const resolve = async (name: string, isLocal: boolean) => {
      asked.push([name, isLocal]);
      return ['192.168.1.1']; // refused
    };
    const rules = { ...PUBLIC_ONLY, networks: listRanges(['10.0.0.0/8']) };
    const connector = new Connector({ rules, resolve });
    for (const name of NAMES.slice(0, 4)) await connectTo(connector, `https://${name}`, name, 443);
    assert.deepEqual(asked, [
      ['receiver', true],
      ['receiver.internal', true],
      ['receiver.local', true],
      ['hooks.example.com', false],
    ]);
  });
});

describe('a name in development', () => {
  it('is called if it leads to this machine only', async (t) => {
    const sentinel = await startSentinel(t);
    let addresses: readonly string[] = ['127.0.0.1'];
    const outbound = makeOutbound(t, { allowLoopback: true, resolve: async () => addresses });
    const post = async (host: string) => {
      const answer = await outbound.post(`http://${host}:${sentinel.port}/`, { body: '{}' });
      return answer.ok ? 'sent' : answer.reason;
    };
    for (const host of ['localhost', 'app.localhost', 'dev.example.com']) assert.equal(await post(host), 'sent', host);
    for (const host of ['receiver', 'receiver.internal', 'receiver.local'])
      assert.equal(await post(host), 'refused_address', host);
    await outbound.close();
    assert.equal(sentinel.accepted, 3);
    for (addresses of [['10.0.0.1'], ['127.0.0.1', '192.168.1.1'], ['fd00::1'], ['169.254.169.254']]) {
      const other = makeOutbound(t, { allowLoopback: true, resolve: async () => addresses });
      for (const host of ['localhost', 'dev.example.com']) {
        const answer = await other.post(`http://${host}:${sentinel.port}/`, { body: '{}' });
        assert.equal(answer.ok ? 'sent' : answer.reason, 'refused_address', `${host} ${addresses}`);
      }
    }
    assert.equal(sentinel.accepted, 3);
  });
});

describe('DNS rebinding', () => {
  it('resolves once per connection and connects to the checked address', async (t) => {
    const sentinel = await startSentinel(t);
    let requested = 0;
    // Public for the check, private for a second lookup.
    const resolve = async () => (requested++ % 2 === 0 ? [NOWHERE] : ['127.0.0.1']);
    const outbound = makeOutbound(t, { resolve });
    const url = `https://rebind.example.com:${sentinel.port}/`;
    const reasons: string[] = [];
    for (let round = 0; round < 6; round++) {
      const answer = await outbound.post(url, { body: '{}', timeoutMs: 200 });
      reasons.push(answer.ok ? 'sent' : answer.reason);
    }
    assert.equal(requested, 6, 'one question a connection');
    assert.deepEqual(
      reasons.filter((_, round) => round % 2 === 1),
      ['refused_address', 'refused_address', 'refused_address'],
    );
    assert.ok(!reasons.includes('sent'));
    assert.equal(sentinel.accepted, 0);
  });

  it('rejects a name server that changes its answer, mixes families or returns several addresses', async (t) => {
    const sentinel = await startSentinel(t);
    const loopback6 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    const mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1];
    const zones: Record<string, { 4: number[][]; 6: number[][] }> = {
      'several.example.com': {
        4: [
          [192, 31, 195, 255],
          [192, 31, 195, 254],
          [127, 0, 0, 1],
        ],
        6: [],
      },
      'mixed.example.com': { 4: [[192, 31, 195, 255]], 6: [loopback6] },
      'mapped.example.com': { 4: [], 6: [mapped] },
      'private.example.com': { 4: [[10, 0, 0, 1]], 6: [] },
    };
    const server = await startNameServer(t, ({ name, family }) => zones[name]?.[family] ?? []);
    const names = createNameResolver([server]);
    const outbound = makeOutbound(t, { resolve: names.resolveByServers });
    for (const name of Object.keys(zones)) {
      const answer = await outbound.post(`https://${name}:${sentinel.port}/`, { body: '{}' });
      assert.equal(answer.ok ? 'sent' : answer.reason, 'refused_address', name);
    }
    const unknown = await outbound.post(`https://unknown.example.com:${sentinel.port}/`, { body: '{}' });
    assert.deepEqual(unknown, {
      ok: false,
      reason: 'connection',
      message: 'The host name could not be resolved.',
      status: null,
    });
    assert.equal(sentinel.accepted, 0);
  });

  it('finds both families of a name, and one when the other is missing', async (t) => {
    const server = await startNameServer(t, ({ name, family }) =>
      family === 4 ? [[192, 31, 195, 255]] : name === 'both.example.com' ? [[0x20, 3, ...Array(13).fill(0), 1]] : [],
    );
    const names = createNameResolver([server]);
    assert.deepEqual(await names.resolveByServers('both.example.com'), [PUBLIC, '2003::1']);
    assert.deepEqual(await names.resolveByServers('one.example.com'), [PUBLIC]);
    assert.ok((await names.resolveBySystem('localhost')).some((address) => ['127.0.0.1', '::1'].includes(address)));
  });

  it('ends when the name server never answers', async (t) => {
    const server = await startNameServer(t, () => null);
    const names = createNameResolver([server]);
    t.after(() => names.cancel());
    const outbound = makeOutbound(t, { resolve: names.resolveByServers });
    const answer = await outbound.post('https://hooks.example.com/', { body: '{}', timeoutMs: 100 });
    assert.equal(answer.ok ? 'sent' : answer.reason, 'timeout');
    assert.equal(outbound.readLoad().sockets, 0);
  });
});
