// The catalogs.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { restrictProvider } from '../support/restrict-provider.ts';
import { startTestService } from '../support/test-service.ts';

const service = await startTestService();
after(() => service.stop());

describe('GET /v1/catalog/metrics', () => {
  it('200 lists all 178 metrics with their units', async () => {
    const { status, body } = await service.api().get('/v1/catalog/metrics');
    assert.equal(status, 200);
    assert.equal(body.data.length, 178);
    const swimming = body.data.find((metric: { id: string }) => metric.id === 'swimming');
    assert.deepEqual(
      [swimming.unit, swimming.imperial_unit, swimming.kind, swimming.timeseries],
      ['m', 'mi', 'sum', 'stored'],
    );
    const recovery = body.data.find((metric: { id: string }) => metric.id === 'recovery_score');
    assert.equal(recovery.daily, 'score');
  });

  it('200 is the same in both forms', async () => {
    const [one, two] = await Promise.all(
      ['1', '2'].map((form) => service.api().get('/v1/catalog/metrics', { headers: { 'api-form': form } })),
    );
    assert.equal(one?.text, two?.text);
  });
});

describe('GET /v1/providers', () => {
  it('200 says what the terms of a provider forbid, and which unconfirmed parts are on', async (t) => {
    restrictProvider(t, 'oura', ['no_ai', 'retention'], 7);
    const { body } = await service.api().get('/v1/providers');
    const of = (id: string) => body.data.find(({ provider }: { provider: string }) => provider === id);
    assert.deepEqual(of('oura').restrictions, [
      { kind: 'no_ai', description: 'Invented for tests: no_ai.', days: 7 },
      { kind: 'retention', description: 'Invented for tests: retention.', days: 7 },
    ]);
    assert.equal(of('oura').passed_on, false);
    assert.deepEqual([of('polar').restrictions, of('polar').unconfirmed], [[], []]);
  });

  it('200 lists the metrics of an unconfirmed part only if it is enabled', async (t) => {
    const settings = service.running.services.settings as {
      unconfirmedParts: ReadonlyMap<string, ReadonlySet<string>>;
    };
    t.after(() => {
      settings.unconfirmedParts = new Map();
    });
    const listMetrics = async (): Promise<string[]> => {
      const { body } = await service.api().get('/v1/providers');
      return body.data.find(({ provider }: { provider: string }) => provider === 'ultrahuman').metrics;
    };
    const confirmed = await listMetrics();
    settings.unconfirmedParts = new Map([['ultrahuman', new Set(['hrv_rmssd'])]]);
    const added = (await listMetrics()).filter((metric) => !confirmed.includes(metric));
    assert.deepEqual(added, ['heart_rate_variability_rmssd', 'sleep_heart_rate_variability']);
  });

  it('200 lists clouds only', async () => {
    const { status, body } = await service.api().get('/v1/providers');
    assert.equal(status, 200);
    assert.ok(Array.isArray(body.data));
    assert.ok(
      !body.data.some((entry: { provider: string }) =>
        ['apple_health', 'health_connect', 'samsung_health'].includes(entry.provider),
      ),
    );
  });
});
