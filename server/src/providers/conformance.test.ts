// The conformance suite over every connector, and proof that it can fail.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkApart,
  checkBigIds,
  checkConformance,
  checkCoverage,
  checkDeleted,
  checkNaps,
  checkScopes,
  checkSessions,
  checkTwice,
  checkZero,
} from '../../test/support/provider-conformance.ts';
import { checkCorrupted } from '../../test/support/provider-corruption-check.ts';
import { ESSENTIAL_FIELDS } from '../../test/support/provider-essential-fields.ts';
import type { ProviderFixtures } from '../../test/support/provider-fixture.ts';
import { PROVIDER_FIXTURES } from '../../test/support/provider-fixtures/index.gen.ts';
import { ouraFixtures } from '../../test/support/provider-fixtures/oura.ts';
import { withingsFixtures } from '../../test/support/provider-fixtures/withings.ts';
import { checkMissing } from '../../test/support/provider-missing-check.ts';
import { checkPlausible } from '../../test/support/provider-record-check.ts';
import { checkOrigins, checkTokens } from '../../test/support/provider-request-check.ts';
import { checkWebhooks } from '../../test/support/provider-webhook-check.ts';
import type { Scope } from '../domain/metrics/categories.ts';
import type { MetricId } from '../domain/metrics/index.ts';
import { type CloudProvider, ProviderAnswerError, type WebhookRule } from './contract.ts';
import { oura } from './oura/index.ts';
import type { ProviderRecords } from './provider-records.ts';
import { CLOUD_PROVIDERS } from './registry.ts';
import { withings } from './withings/index.ts';

for (const provider of CLOUD_PROVIDERS) {
  describe(`the connector ${provider.id}`, () => {
    const fixtures = PROVIDER_FIXTURES[provider.id];
    if (fixtures === undefined) it('has fixtures', () => assert.fail('there are none'));
    else checkConformance(provider, fixtures);
  });
}

it('no two connectors share an id', () => {
  assert.equal(new Set(CLOUD_PROVIDERS.map(({ id }) => id)).size, CLOUD_PROVIDERS.length);
});

describe('the conformance suite', () => {
  const refuses = (
    check: (provider: CloudProvider, fixtures: ProviderFixtures) => void,
    broken: CloudProvider,
    reported = /./,
    fixtures = ouraFixtures,
  ) => assert.throws(() => check(broken, fixtures), reported);

  it('rejects coverage that lists too many or too few metrics', () => {
    refuses(checkCoverage, { ...oura, metrics: [...oura.metrics, 'weight' as MetricId] }, /metrics/);
    refuses(checkCoverage, { ...oura, metrics: oura.metrics.slice(1) }, /metrics/);
    refuses(checkCoverage, { ...oura, hasWorkouts: false }, /hasWorkouts/);
    refuses(checkCoverage, { ...oura, sleepVitals: [] }, /sleepVitals/);
  });

  it('rejects scopes that open too little or too much', () => {
    const withScope = (scope: string, categories: readonly Scope[]) => ({
      ...oura,
      oauth: { ...oura.oauth, scopes: { ...oura.oauth.scopes, [scope]: categories } },
    });
    refuses(checkScopes, withScope('daily', ['activity']), /sleep/);
    refuses(checkScopes, withScope('personal', ['nutrition']), /nutrition/);
    refuses(checkScopes, withScope('stress', []), /daily_stress opens nothing/);
  });

  it('rejects a metric that the pipeline does not accept', () => {
    const renamed = (id: MetricId): MetricId => (id === 'resting_energy' ? ('energy_balance' as MetricId) : id);
    const rename = (value: ProviderRecords['daily'][number]) => ({ ...value, metric: renamed(value.metric) });
    const broken = alter((records) => ({ ...records, daily: records.daily.map(rename) }));
    refuses(
      checkCoverage,
      { ...broken, metrics: oura.metrics.map(renamed) },
      /energy_balance is computed by the service/,
    );
  });

  it('rejects unknown units and impossible values', () => {
    const inMinutes = (value: ProviderRecords['daily'][number]) => ({ ...value, unit: 'parsec' });
    refuses(
      checkPlausible,
      alter((records) => ({ ...records, daily: records.daily.map(inMinutes) })),
      /parsec/,
    );
    const tooMuch = (value: ProviderRecords['daily'][number]) => ({ ...value, value: value.value * 1e6 });
    refuses(
      checkPlausible,
      alter((records) => ({ ...records, daily: records.daily.map(tooMuch) })),
      / is /,
    );
  });

  it('rejects a lost zero', () => {
    refuses(
      checkZero,
      alter((records) => ({ ...records, daily: records.daily.filter(({ value }) => value !== 0) })),
    );
  });

  it('rejects a zero for a missing value', () => {
    const zeroed = (records: ProviderRecords) => ({
      ...records,
      sleep: records.sleep.map((sleep) => ({ ...sleep, heartRate: sleep.heartRate ?? 0 })),
    });
    refuses(checkMissing, alter(zeroed), /heartRate is 0/);
  });

  it('rejects a total with a missing part', () => {
    const summed = (records: ProviderRecords) => ({
      ...records,
      sleep: records.sleep.map((sleep) => ({
        ...sleep,
        asleepMinutes: (sleep.deepMinutes ?? 0) + (sleep.lightMinutes ?? 0) + (sleep.remMinutes ?? 0),
      })),
    });
    refuses(checkMissing, alter(summed), /asleepMinutes/);
  });

  it('rejects an error for a missing field', () => {
    const reckless = (records: ProviderRecords) => {
      for (const { heartRate } of records.sleep) if (heartRate === null) throw new TypeError('no heart rate');
      return records;
    };
    refuses(checkMissing, alter(reckless, 'sleep'), /TypeError/, { ...ouraFixtures, pages: [firstPage()] });
  });

  it('rejects a mapping that drops a record for a bad field or a page for a bad record, or that throws', () => {
    const ifDropped = (change: (records: ProviderRecords) => ProviderRecords) =>
      alter((records) => (records.unreadable.size === 0 ? records : change(records)), 'sleep');
    const firstSleeps = { ...ouraFixtures, pages: [firstPage()] };
    const shorter = (records: ProviderRecords) => ({ ...records, sleep: records.sleep.slice(1) });
    refuses(checkCorrupted, ifDropped(shorter), /sleep .* is undefined instead of/, firstSleeps);
    const without = (records: ProviderRecords) => ({ ...records, samples: new Map() });
    refuses(checkCorrupted, ifDropped(without), /heart_rate_variability_rmssd/, firstSleeps);
    const fail = () => {
      throw new ProviderAnswerError('a field makes no sense');
    };
    refuses(checkCorrupted, ifDropped(fail), /throws/, firstSleeps);
  });

  it('rejects a wrong list of essential fields', () => {
    const firstSleeps = { ...ouraFixtures, pages: [firstPage()] };
    const check = (change: (listed: readonly string[]) => readonly string[]) => () => {
      const { '*': always = [], sleep = [] } = ESSENTIAL_FIELDS.oura ?? {};
      checkCorrupted(oura, firstSleeps, { sleep: change([...always, ...sleep].filter(isOfSleep)) });
    };
    const isOfSleep = (name: string) => !['day', 'timestamp', 'type'].includes(name); // cost nothing of these records
    assert.doesNotThrow(check((listed) => listed));
    assert.throws(
      check((listed) => [...listed, 'average_hrv']),
      /sleep average_hrv/,
    );
    for (const name of ['id', 'bedtime_start', 'bedtime_end'])
      assert.throws(
        check((listed) => listed.filter((one) => one !== name)),
        /not in ESSENTIAL_FIELDS/,
        name,
      );
  });

  it('rejects lost naps, shifted times, wrong offsets and missing deletions', () => {
    refuses(
      checkNaps,
      alter((records) => ({ ...records, sleep: records.sleep.slice(1) })),
      /nap/,
    );
    const moved = (minutes: number) => (records: ProviderRecords) => ({
      ...records,
      sleep: records.sleep.map((sleep) => ({ ...sleep, offsetMinutes: sleep.offsetMinutes + minutes })),
    });
    refuses(checkSessions, alter(moved(60)), /offset/);
    refuses(
      checkDeleted,
      alter((records) => ({ ...records, deletedSleep: [] })),
    );
  });

  it('rejects rounded ids', () => {
    const rounded = (records: ProviderRecords) => ({
      ...records,
      workouts: records.workouts.map((workout) => ({ ...workout, key: String(Number(workout.key)) })),
    });
    refuses(checkBigIds, alter(rounded), /became/);
  });

  it('rejects a mapping with state', () => {
    let count = 0;
    const counting = (records: ProviderRecords) => {
      count += 1;
      return { ...records, deletedSleep: [String(count)] };
    };
    refuses(checkTwice, alter(counting));
  });

  it('rejects two resources that report the same times', () => {
    const cuff = withings.resources.map((resource) => {
      if (resource.name !== 'measures') return resource;
      const map = (...reported: Parameters<typeof resource.map>) => withWholeSeconds(resource.map(...reported));
      return { ...resource, map };
    });
    refuses(checkApart, { ...withings, resources: cuff }, /heart_rate at millisecond 0/, withingsFixtures);
  });

  it('rejects a webhook rule that accepts any sender or stale requests', () => {
    const trusting = (provider: CloudProvider, verify: WebhookRule['verify']): CloudProvider => ({
      ...provider,
      webhook: provider.webhook === null ? null : { ...provider.webhook, verify },
    });
    refuses(
      checkWebhooks,
      trusting(oura, () => 'genuine'),
      /somebody else/,
    );
    refuses(
      checkWebhooks,
      trusting(withings, () => 'genuine'),
      /somebody else/,
      withingsFixtures,
    );
    const withoutTimeCheck: WebhookRule['verify'] = (request, secrets, now) => {
      const verdict = oura.webhook?.verify(request, secrets, now) ?? 'forged';
      return verdict === 'stale' ? 'genuine' : verdict;
    };
    refuses(checkWebhooks, trusting(oura, withoutTimeCheck), /long after/);
  });

  it('rejects ids that change the path, and origins without TLS', () => {
    const resources = oura.resources.map((resource) => ({
      ...resource,
      requestOne: (id: string) => ({ ...resource.request(window, null, account), path: `/v2/${id}` }),
    }));
    refuses(checkOrigins, { ...oura, resources });
    refuses(checkOrigins, { ...oura, origins: { ...oura.origins, api: 'http://api.ouraring.com' } }, /encrypted/);
  });

  it('rejects a connector that treats an outage as a refusal', () => {
    const readTokens = () => ({ refused: 'no', isDefinite: true });
    refuses(checkTokens, { ...oura, oauth: { ...oura.oauth, readTokens } }, /after 500/);
  });
});

const window = { from: 0, to: 1, fromDate: '2026-03-01', toDate: '2026-03-02' } as never;
const account = { providerUserId: 'a', accessToken: 'a', refreshToken: null };

function firstPage() {
  const [page] = ouraFixtures.pages;
  if (page === undefined) throw new Error('no page');
  return page;
}

function withWholeSeconds({ samples, ...records }: ProviderRecords): ProviderRecords {
  const whole = (starts: Float64Array) => starts.map((start) => start - (start % 1_000));
  return {
    ...records,
    samples: new Map([...samples].map(([metric, list]) => [metric, { ...list, starts: whole(list.starts) }])),
  };
}

/** Oura with one part replaced. */
function alter(change: (records: ProviderRecords) => ProviderRecords, only: string | null = null): CloudProvider {
  const resources = oura.resources.map((resource) => {
    if (only !== null && resource.name !== only) return resource;
    return { ...resource, map: (...reported: Parameters<typeof resource.map>) => change(resource.map(...reported)) };
  });
  return { ...oura, resources };
}
