// Traces of a running service, received by a collector on loopback.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { parseScrape, seriesValue } from '../support/scrape.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

type Received = {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
};

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

describe('traces', () => {
  const bodies: string[] = [];
  let headers: Record<string, unknown> = {};
  let path: string | undefined;
  let collector: Server;
  let service: TestService;

  before(async () => {
    collector = createServer(async (request, response) => {
      path = request.url;
      headers = request.headers;
      bodies.push(await text(request));
      response.end('{}');
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    service = await startTestService({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/otlp/`,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-key,x-team=health',
        OTEL_SERVICE_NAME: 'health-data',
      },
    });
  });
  after(async () => {
    await service.stop();
    collector.closeAllConnections();
    collector.close();
  });

  async function listSpans(): Promise<Received[]> {
    await service.running.services.tracer?.flush();
    return bodies.flatMap((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
  }

  it('continue the trace of the caller, from the request to its statements', async () => {
    const sent = { traceparent: `00-${TRACE}-${CALLER}-01` };
    const created = await service.api().post('/v1/users', { external_ref: 'patient-4711' }, { headers: sent });
    assert.equal(created.status, 201);
    const { id } = created.body as { id: string };
    assert.ok(id);
    await service.api().get(`/v1/users/${id}`, { headers: sent });
    const spans = await waitUntil('both spans', async () => {
      const found = (await listSpans()).filter(({ traceId }) => traceId === TRACE);
      return found.filter(({ kind }) => kind === 2).length === 2 && found;
    });
    const request = spans.find(({ name }) => name === 'GET /v1/users/:user_id');
    assert.equal(request?.parentSpanId, CALLER);
    const attributes = new Map(request?.attributes.map(({ key, value }) => [key, value]));
    assert.deepEqual(attributes.get('http.response.status_code'), { intValue: '200' });
    const creation = spans.find(({ name }) => name === 'POST /v1/users');
    const transaction = spans.find(
      ({ name, parentSpanId }) => name === 'transaction' && parentSpanId === creation?.spanId,
    );
    assert.ok(transaction, 'the body was read, and the statements still belong to the request');
    assert.ok(spans.some(({ parentSpanId }) => parentSpanId === transaction?.spanId));
    const everything = bodies.join();
    for (const secret of [id, 'patient-4711', service.keys.live]) assert.ok(!everything.includes(secret), secret);
  });

  it('are sent as configured, with the headers of the operator', async () => {
    await waitUntil('a request', () => bodies.length > 0);
    assert.equal(path, '/otlp/v1/traces');
    assert.equal(headers.authorization, 'Bearer collector-key');
    assert.equal(headers['x-team'], 'health');
    assert.match(bodies[0] ?? '', /"service\.name","value":\{"stringValue":"health-data"\}/);
  });

  it('have jobs with their statements, and no probes', async () => {
    const { db } = service.running.services;
    await db.query(`select graphile_worker.add_job('record_database_size', payload => '{}')`);
    await fetch(`${service.url}/metrics`);
    const spans = await waitUntil('the job', async () => {
      const found = await listSpans();
      return found.some(({ name }) => name === 'job record_database_size') && found;
    });
    const job = spans.find(({ name }) => name === 'job record_database_size');
    assert.ok(spans.some(({ name, parentSpanId }) => name === 'save_database_size' && parentSpanId === job?.spanId));
    assert.ok(!spans.some(({ name }) => name.includes('/metrics')));
  });

  it('do not hurt requests when the collector is away', async () => {
    collector.closeAllConnections();
    await new Promise((resolve) => collector.close(resolve));
    for (let count = 0; count < 20; count += 1)
      assert.equal((await service.api().get('/v1/catalog/metrics')).status, 200);
    const dropped = await waitUntil('dropped spans', async () => {
      await service.running.services.tracer?.flush();
      const metrics = parseScrape(await (await fetch(`${service.url}/metrics`)).text());
      return seriesValue(metrics, 'tributary_trace_spans_total', { outcome: 'dropped' });
    });
    assert.ok(dropped > 0);
  });
});
