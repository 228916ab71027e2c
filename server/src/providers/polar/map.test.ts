// Polar: times without offsets, nights around midnight, and its signed webhook.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertEvery } from '../../../test/support/assert-every.ts';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { listReported } from '../../../test/support/reported-samples.ts';
import type { MetricId } from '../../domain/metrics/index.ts';
import type { LocalDate } from '../../domain/time/calendar.ts';
import type { ProviderRecords } from '../provider-records.ts';
import { polar } from './index.ts';
import { atLocal, placeNight } from './local-times.ts';

const answer = (status: number, body: unknown, headers = {}) => ({ status, headers, body });

describe('local times', () => {
  const iso = (zone: string, date: string, hours: number) => {
    const { start, offsetMinutes } = atLocal(zone, date as LocalDate, hours * 3_600);
    return `${new Date(start).toISOString()} ${offsetMinutes}`;
  };

  it('use the zone, also on days when clocks change', () => {
    assert.equal(iso('Europe/Paris', '2026-03-02', 7.5), '2026-03-02T06:30:00.000Z 60');
    assert.equal(iso('America/Phoenix', '2026-03-02', 0), '2026-03-02T07:00:00.000Z -420');
    assert.equal(iso('Asia/Kolkata', '2026-03-02', 12), '2026-03-02T06:30:00.000Z 330');
    assert.equal(iso('Europe/Paris', '2026-03-29', 1), '2026-03-29T00:00:00.000Z 60');
    assert.equal(iso('Europe/Paris', '2026-03-29', 4), '2026-03-29T02:00:00.000Z 120');
    assert.equal(iso('Europe/Paris', '2026-10-25', 2.5), '2026-10-25T00:30:00.000Z 120');
    assert.equal(iso('Europe/Paris', '2026-10-25', 4), '2026-10-25T03:00:00.000Z 60');
  });

  it('of a night lie before and after midnight, in any order', () => {
    const position = (...clocks: string[]) =>
      placeNight(clocks, '2026-03-02' as LocalDate).map(({ date }, index) => `${date.slice(8)} ${clocks[index]}`);
    assert.deepEqual(position('23:55', '00:00', '06:00'), ['01 23:55', '02 00:00', '02 06:00']);
    assert.deepEqual(position('00:00', '06:00', '23:55'), ['02 00:00', '02 06:00', '01 23:55']);
    assert.deepEqual(position('00:10', '04:10'), ['02 00:10', '02 04:10']);
    assert.deepEqual(position('10:00', '12:00', '16:55'), ['02 10:00', '02 12:00', '02 16:55']);
    assert.deepEqual(position('03:00'), ['02 03:00']);
    assert.deepEqual(position('19:00', '23:55'), ['01 19:00', '01 23:55']);
    assert.deepEqual(position('23:55'), ['01 23:55']);
    assert.deepEqual(position('18:00', '20:00'), ['01 18:00', '01 20:00']);
    assert.deepEqual(position(), []);
  });
});

describe('nights of Polar', () => {
  const stagesOf = (night: object, zone = 'Europe/Paris') =>
    map('sleep', { ...night, date: '2026-03-29' }, zone).sleep[0]?.stages?.map(
      ({ stage, start, end }) => `${stage} ${clock(start)}-${clock(end)}`,
    );
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);

  it('have stages from one change to the next, over midnight and up to their end', () => {
    const [reported] = map('sleep', readFixture('polar', 'sleep')).sleep;
    assert.deepEqual(
      reported?.stages?.map(({ stage, start }) => `${stage} ${clock(start)}`),
      ['light 22:20', 'deep 22:50', 'light 23:55', 'rem 02:10', 'awake 03:40', 'light 03:55'],
    );
    assert.equal(reported?.stages?.[0]?.start, reported?.start);
    assert.equal(reported?.stages?.at(-1)?.end, reported?.end);
    assert.equal(reported?.asleepMinutes, 431);
    assert.equal(reported?.awakeMinutes, 21);
    assert.equal(reported?.inBedMinutes, null);
  });

  it('keep the times of their stages when the clocks change', () => {
    const hypnogram = { '23:00': 2, '01:30': 4, '03:30': 1 };
    const spring = {
      sleep_start_time: '2026-03-28T23:00:00+01:00',
      sleep_end_time: '2026-03-29T05:00:00+02:00',
      hypnogram,
    };
    assert.deepEqual(stagesOf(spring), ['light 22:00-00:30', 'deep 00:30-01:30', 'rem 01:30-03:00']);
    const autumn = {
      sleep_start_time: '2026-10-24T23:00:00+02:00',
      sleep_end_time: '2026-10-25T05:00:00+01:00',
      hypnogram,
    };
    assert.deepEqual(stagesOf(autumn), ['light 21:00-23:30', 'deep 23:30-02:30', 'rem 02:30-04:00']);
  });

  it('read undocumented codes as sleep of an unknown stage', () => {
    const night = { sleep_start_time: '2026-03-02T01:00:00+01:00', sleep_end_time: '2026-03-02T02:00:00+01:00' };
    assert.deepEqual(stagesOf({ ...night, hypnogram: { '01:00': 6, '01:30': 0 } }), [
      'asleep 00:00-00:30',
      'awake 00:30-01:00',
    ]);
    assert.equal(stagesOf(night), undefined);
  });

  it('count unknown time of a staged night as in bed only', () => {
    const night = {
      date: '2026-03-29',
      sleep_start_time: '2026-03-02T01:00:00+01:00',
      sleep_end_time: '2026-03-02T03:00:00+01:00',
      light_sleep: 3_600,
      deep_sleep: 1_800,
      rem_sleep: 0,
      unrecognized_sleep_stage: 1_800,
      hypnogram: { '01:00': 2, '02:00': 5, '02:15': 6, '02:30': 4 },
    };
    assert.deepEqual(stagesOf(night), [
      'light 00:00-01:00',
      'in_bed 01:00-01:15',
      'in_bed 01:15-01:30',
      'deep 01:30-02:00',
    ]);
    assert.equal(map('sleep', night).sleep[0]?.asleepMinutes, 90);
    assert.deepEqual(stagesOf({ ...night, light_sleep: 0, deep_sleep: 0, hypnogram: { '01:00': 5 } }), [
      'asleep 00:00-02:00',
    ]);
  });

  it('have null, not 0 minutes, without stages', () => {
    const night = {
      date: '2026-03-02',
      sleep_start_time: '2026-03-01T23:00:00+01:00',
      sleep_end_time: '2026-03-02T07:00:00+01:00',
      light_sleep: 0,
      deep_sleep: 0,
      rem_sleep: 0,
      unrecognized_sleep_stage: 27_000,
      total_interruption_duration: 1_800,
    };
    const totalsOf = (more: object) => {
      const [reported] = map('sleep', { ...night, ...more }).sleep;
      return [
        reported?.asleepMinutes,
        reported?.lightMinutes,
        reported?.deepMinutes,
        reported?.remMinutes,
        reported?.awakeMinutes,
      ];
    };
    assert.deepEqual(totalsOf({}), [450, null, null, null, 30]);
    assert.deepEqual(totalsOf({ light_sleep: 600 }), [10, 10, 0, 0, 30], 'a measured 0 stays');
  });

  it('use the user’s time zone if there is no offset', () => {
    const night = {
      date: '2026-03-02',
      sleep_start_time: '2026-03-01T23:00:00',
      sleep_end_time: '2026-03-02T07:00:00',
    };
    const [reported] = map('sleep', night).sleep;
    assert.deepEqual(
      [
        new Date(reported?.start ?? 0).toISOString(),
        new Date(reported?.end ?? 0).toISOString(),
        reported?.offsetMinutes,
      ],
      ['2026-03-01T22:00:00.000Z', '2026-03-02T06:00:00.000Z', 60],
    );
  });

  it('read a heart rate of 0 as no signal', () => {
    const night = { sleep_start_time: '2026-03-02T01:00:00+01:00', sleep_end_time: '2026-03-02T02:00:00+01:00' };
    const heartOf = (heart_rate_samples: object) =>
      map('sleep', { ...night, date: '2026-03-02', heart_rate_samples }).sleep[0]?.heartRate;
    assert.equal(heartOf({ '01:00': 54, '01:05': 0, '01:10': 58 }), 56);
    assert.equal(heartOf({ '01:00': 0 }), null);
    const hypnogram = { '01:00': 0, '01:30': 2 };
    assert.deepEqual(
      stagesOf({ ...night, hypnogram }),
      ['awake 00:00-00:30', 'light 00:30-01:00'],
      'a stage of 0 is one',
    );
  });

  it('place a recharge that ends before midnight in the evening before', () => {
    const recharge = {
      date: '2026-03-02',
      hrv_samples: { '19:30': 44, '23:25': 47 },
      breathing_samples: { '22:00': 14 },
    };
    const { samples } = map('nightly-recharge', { recharges: [recharge] });
    const timesOf = (metric: string) =>
      listReported({ samples }, metric).map(({ start }) => new Date(start).toISOString());
    assert.deepEqual(timesOf('heart_rate_variability_rmssd'), ['2026-03-01T18:30:00.000Z', '2026-03-01T22:25:00.000Z']);
    assert.deepEqual(timesOf('respiratory_rate'), ['2026-03-01T21:00:00.000Z']);
  });

  it('drop a recharge of 0', () => {
    const recharge = {
      date: '2026-03-02',
      heart_rate_variability_avg: 0,
      breathing_rate_avg: 0,
      hrv_samples: { '01:00': 0, '01:05': 40 },
      breathing_samples: { '01:00': 0 },
    };
    const { daily, samples } = map('nightly-recharge', { recharges: [recharge] });
    assert.deepEqual(daily, []);
    assert.deepEqual([...samples.keys()], ['heart_rate_variability_rmssd']);
    assert.equal(listReported({ samples }, 'heart_rate_variability_rmssd').length, 1);
  });

  it('report their recharge as RMSSD, by date only', () => {
    const { daily, samples } = map('nightly-recharge', readFixture('polar', 'nightly-recharge'));
    assert.deepEqual(
      daily.map(({ metric, value, unit }) => [metric, value, unit]),
      [
        ['sleep_heart_rate_variability', 48, 'ms'],
        ['sleep_respiratory_rate', 14.1, 'breaths/min'],
        ['sleep_heart_rate_variability', 51, 'ms'],
        ['sleep_respiratory_rate', 13.8, 'breaths/min'],
      ],
    );
    const times = listReported({ samples }, 'heart_rate_variability_rmssd').map(({ start }) =>
      new Date(start).toISOString(),
    );
    assert.deepEqual(times, [
      '2026-03-01T22:55:00.000Z',
      '2026-03-01T23:00:00.000Z',
      '2026-03-11T18:40:00.000Z',
      '2026-03-11T22:35:00.000Z',
    ]);
    assert.equal(samples.has('heart_rate_variability' as MetricId), false);
  });
});

describe('asking Polar', () => {
  it('reads the short and the long rate limit', () => {
    const headers = { 'ratelimit-usage': '498, 1200', 'ratelimit-limit': '520, 5100', 'ratelimit-reset': '60, 3600' };
    assert.deepEqual(
      polar.budgets.map(({ readLeft }) => readLeft(answer(200, null, headers))),
      [
        { left: 22, resetSeconds: 60 },
        { left: 3_900, resetSeconds: 3_600 },
      ],
    );
    assert.equal(polar.budgets[0]?.readLeft(answer(200, null)), null);
  });

  it('reads 204 as no data, and no failure as empty', () => {
    assertEvery(polar.resources, ({ isEmpty }) => isEmpty(answer(204, null)));
    assertEvery(polar.resources, ({ isEmpty }) => !isEmpty(answer(403, null)));
  });

  it('registers the user, who may already be registered', () => {
    const [register] = polar.oauth.afterConnect;
    assert.deepEqual(register?.request({ providerUserId: null, memberId: 'm' }).json, { 'member-id': 'm' });
    assert.equal(register?.readUserId(answer(200, readFixture('polar', 'register-user'))), '10579');
    assert.equal(register?.readUserId(answer(409, null)), null);
    assert.ok(register?.alsoGood?.includes(409));
    const tokens = polar.oauth.readTokens(answer(200, readFixture('polar', 'token')));
    assert.ok(!('refused' in tokens) && tokens.providerUserId === '10579' && tokens.refreshToken === null);
  });
});

describe('the webhook of Polar', () => {
  const { webhook } = polar;
  const body = (value: unknown) => Buffer.from(JSON.stringify(value));
  const secrets = { clientId: 'id', clientSecret: 's', verificationToken: 't', publicKeys: {} };
  const request = {
    method: 'POST',
    path: '/n',
    query: {},
    headers: {},
    body: body(readFixture('polar', 'webhook-ping')),
  };

  it('answers the ping before there is a secret, and trusts nothing until then', () => {
    assert.deepEqual(webhook?.answerChallenge(request, secrets), { status: 200, body: '' });
    assert.equal(webhook?.verify(request, secrets, new Date(0)), 'forged');
    assert.deepEqual(webhook?.readWebhookItems(request.body), []);
  });

  it('is one for all events, sends its secret once, and is reactivated', () => {
    const rule = webhook?.subscriptions;
    const [topic = ''] = rule?.wanted ?? [];
    assert.deepEqual(rule?.createRequest(topic, 'https://us.example/n', secrets, null).json, {
      events: ['ACTIVITY_SUMMARY', 'CONTINUOUS_HEART_RATE', 'EXERCISE', 'SLEEP'],
      url: 'https://us.example/n',
    });
    assert.equal(rule?.readSecret?.(answer(201, readFixture('polar', 'webhook-created'))), 'example-secret');
    const data = [{ id: 'a', events: ['SLEEP', 'EXERCISE'], url: 'https://us.example/n', active: false }];
    assert.deepEqual(rule?.readList(answer(200, { data })), [
      { id: 'a', topic: 'EXERCISE,SLEEP', endsAt: new Date(0), callbackUrl: 'https://us.example/n' },
    ]);
    assert.equal(rule?.renewRequest?.('a').path, '/v3/webhooks/activate');
  });

  it('does not follow its links', () => {
    const event = { event: 'EXERCISE', user_id: 1, entity_id: 'x', url: 'https://evil.example/' };
    assert.deepEqual(webhook?.readWebhookItems(body(event)), [
      { kind: 'changed', providerUserId: '1', resource: 'exercises', id: 'x', from: null, to: null },
    ]);
  });
});

function map(name: string, body: unknown, zone = 'Europe/Paris'): ProviderRecords {
  const resource = polar.resources.find((candidate) => candidate.name === name);
  if (resource === undefined) throw new Error(`no resource ${name}`);
  return resource.map(body, { zone, window: null });
}
