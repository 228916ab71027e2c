import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database, Transaction } from '../db/database.ts';
import type { Outbound, OutboundAnswer } from '../outbound/index.ts';
import { encodeSpans, type Span } from './span.ts';
import { createSpanExporter } from './span-exporter.ts';
import { parseTraceparent } from './trace-context.ts';
import { traceDatabase } from './trace-database.ts';
import { traceOutbound } from './trace-outbound.ts';
import { createTracer } from './tracer.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

function recordSpans(sampleRatio = 1) {
  const spans: Span[] = [];
  const exporter = { add: (span: Span) => void spans.push(span), flush: async () => {}, stop: async () => {} };
  return { spans, tracer: createTracer(exporter, sampleRatio) };
}

describe('parseTraceparent', () => {
  it('reads the trace, the parent and whether it is sampled', () => {
    const context = { traceId: TRACE, spanId: PARENT };
    assert.deepEqual(parseTraceparent(`00-${TRACE}-${PARENT}-01`), { ...context, isSampled: true });
    assert.deepEqual(parseTraceparent(`00-${TRACE}-${PARENT}-00`), { ...context, isSampled: false });
    assert.deepEqual(parseTraceparent(`01-${TRACE}-${PARENT}-03-more`), { ...context, isSampled: true });
  });

  it('ignores a malformed header', () => {
    const zeros = '0'.repeat(32);
    for (const header of [
      '',
      'x',
      `ff-${TRACE}-${PARENT}-01`,
      `00-${zeros}-${PARENT}-01`,
      `00-${TRACE}-${PARENT}-0`,
      undefined,
    ])
      assert.equal(parseTraceparent(header), null, String(header));
  });
});

describe('createTracer', () => {
  it('nests spans, and records failures by their code', async () => {
    const { spans, tracer } = recordSpans();
    const failure = Object.assign(new Error('value of anna@example.org'), { code: '23505' });
    await tracer.span('outer', 'consumer', {}, () =>
      assert.rejects(tracer.span('inner', 'client', {}, () => Promise.reject(failure))),
    );
    const [inner, outer] = spans;
    assert.equal(inner?.context.traceId, outer?.context.traceId);
    assert.equal(inner?.parentSpanId, outer?.context.spanId);
    assert.equal(outer?.parentSpanId, null);
    assert.deepEqual([inner?.isError, inner?.attributes], [true, { 'error.type': '23505' }]);
    assert.equal(outer?.isError, false);
    assert.doesNotMatch(JSON.stringify(spans), /anna/);
  });

  it('records nothing below a trace that is not sampled', async () => {
    const { spans, tracer } = recordSpans(0);
    await tracer.span('outer', 'consumer', {}, () => tracer.span('inner', 'client', {}, async () => {}));
    assert.deepEqual(spans, []);
  });
});

describe('traceDatabase', () => {
  const query = async () => [];
  const transaction = <Result>(work: (tx: Transaction) => Promise<Result>) =>
    work({ kind: 'transaction', isOnCitus: false, query });
  const db = { query, transaction } as unknown as Database;

  it('is the database itself without a tracer', () => {
    assert.equal(traceDatabase(db, null), db);
  });

  it('names statements without text and values, only within a span', async () => {
    const { spans, tracer } = recordSpans();
    const traced = traceDatabase(db, tracer);
    await traced.query('select 1');
    assert.equal(spans.length, 0);
    await tracer.span('outer', 'server', {}, () =>
      traced.transaction(async (tx) => {
        await tx.query({ name: 'read_user', text: 'select * from users where id = $1' }, ['secret']);
        await tx.query(`update users set profile = 'secret'`);
      }),
    );
    assert.deepEqual(
      spans.map(({ name }) => name),
      ['read_user', 'update', 'transaction', 'outer'],
    );
    assert.doesNotMatch(JSON.stringify(spans), /secret|profile/);
  });
});

describe('traceOutbound', () => {
  it('records host, kind and outcome, never the path', async () => {
    const { spans, tracer } = recordSpans();
    const answer = (status: number): OutboundAnswer => ({ ok: true, status, headers: {}, body: Buffer.alloc(0) });
    const outbound = { request: async () => answer(503) } as unknown as Outbound;
    await traceOutbound(outbound, tracer).post('https://hooks.example/secret-path?token=1', { kind: 'webhook' });
    assert.equal(traceOutbound(outbound, null), outbound);
    const [span] = spans;
    assert.deepEqual([span?.name, span?.kind, span?.isError], ['POST webhook', 'client', true]);
    assert.deepEqual(span?.attributes, {
      'http.request.method': 'POST',
      'server.address': 'hooks.example',
      'tributary.request.kind': 'webhook',
      'http.response.status_code': 503,
    });
  });
});

describe('createSpanExporter', () => {
  const context = { traceId: TRACE, spanId: PARENT, isSampled: true };
  const span: Span = {
    context,
    parentSpanId: null,
    name: 'GET /v1/users',
    kind: 'server',
    startMs: 1_772_366_400_000.125,
    endMs: 1_772_366_400_001,
    attributes: { 'http.response.status_code': 200 },
    isError: false,
  };

  function startExporter(answer: (body: string) => Promise<OutboundAnswer>) {
    const counted = { sent: 0, dropped: 0 };
    const exporter = createSpanExporter({
      url: 'http://collector/v1/traces',
      headers: {},
      resource: {},
      outbound: { post: (_url, { body }) => answer(String(body)), close: async () => {} },
      count: (outcome, spans) => {
        counted[outcome] += spans;
      },
    });
    return { exporter, counted };
  }

  it('encodes spans as OTLP JSON', () => {
    const { resourceSpans } = JSON.parse(encodeSpans([span], { 'service.name': 'tributary' }));
    assert.deepEqual(resourceSpans[0].resource.attributes, [
      { key: 'service.name', value: { stringValue: 'tributary' } },
    ]);
    assert.deepEqual(resourceSpans[0].scopeSpans[0].spans, [
      {
        traceId: TRACE,
        spanId: PARENT,
        name: 'GET /v1/users',
        kind: 2,
        startTimeUnixNano: '1772366400000125000',
        endTimeUnixNano: '1772366400001000000',
        attributes: [{ key: 'http.response.status_code', value: { intValue: '200' } }],
        status: {},
      },
    ]);
  });

  it('keeps at most 4,096 spans while the collector hangs, and counts the others as dropped', async () => {
    const hanging = Promise.withResolvers<OutboundAnswer>();
    const { exporter, counted } = startExporter(() => hanging.promise);
    for (let count = 0; count < 10_000; count += 1) exporter.add(span);
    assert.equal(counted.dropped, 10_000 - 4_096 - 512, 'one batch is on its way');
    hanging.resolve({ ok: true, status: 200, headers: {}, body: Buffer.alloc(0) });
    await exporter.flush();
    assert.equal(counted.sent, 4_096 + 512);
    await exporter.stop();
  });

  it('drops the spans of a collector that is away', async () => {
    const away = { ok: false, reason: 'connect', message: 'refused', status: null } as unknown as OutboundAnswer;
    const { exporter, counted } = startExporter(async () => away);
    exporter.add(span);
    await exporter.flush();
    assert.deepEqual(counted, { sent: 0, dropped: 1 });
    await exporter.stop();
  });
});
