// The rules that every connector must satisfy, one check each; `checkConformance` turns each into a test.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SCOPES } from '../../src/domain/metrics/categories.ts';
import { getMetricOrThrow, type MetricId } from '../../src/domain/metrics/index.ts';
import { isSampledByProviders } from '../../src/domain/metrics/record-limits.ts';
import { SLEEP_VITALS } from '../../src/domain/metrics/session-metrics.ts';
import type { SleepSession, Workout } from '../../src/domain/records/records.ts';
import { averageVitals } from '../../src/domain/sleep/sleep-vitals.ts';
import type { DeviceId } from '../../src/domain/tenancy.ts';
import type { CloudProvider } from '../../src/providers/contract.ts';
import { listDeliveredCategories, withParts } from '../../src/providers/delivered-metrics.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';
import { checkCorrupted } from './provider-corruption-check.ts';
import { type FixturePage, mapPage, type ProviderFixtures } from './provider-fixture.ts';
import { checkMissing } from './provider-missing-check.ts';
import { checkPlausible } from './provider-record-check.ts';
import { checkOrigins, checkTokens } from './provider-request-check.ts';
import { checkWebhooks } from './provider-webhook-check.ts';
import { listReported } from './reported-samples.ts';

type Check = (provider: CloudProvider, fixtures: ProviderFixtures) => void;

const CHECKS: Readonly<Record<string, Check>> = {
  'the declared coverage matches what map returns': checkCoverage,
  'its scopes open the categories that it delivers': checkScopes,
  'units are accepted, values plausible and times in order': checkPlausible,
  'a measured zero is kept': checkZero,
  'a missing value stays missing': checkMissing,
  'a bad field costs only that field, a bad record only that record': checkCorrupted,
  'naps are kept': checkNaps,
  'a night over midnight is one sleep with its time and offset': checkSessions,
  'ids beyond 2^53 keep every digit': checkBigIds,
  'a record that the provider deleted is deleted': checkDeleted,
  'mapping twice gives the same result and does not change the input': checkTwice,
  'samples of one metric from several resources do not replace each other': checkApart,
  'accepts genuine webhooks and rejects forged and replayed ones': checkWebhooks,
  'requests go to declared origins only, whatever the ids contain': checkOrigins,
  'only a definite rejection ends a connection': checkTokens,
};

export function checkConformance(provider: CloudProvider, fixtures: ProviderFixtures): void {
  for (const [rule, check] of Object.entries(CHECKS)) it(rule, () => check(provider, fixtures));
}

/** For every selection of unconfirmed parts that an operator could enable. */
export function checkCoverage(provider: CloudProvider, { pages }: ProviderFixtures): void {
  for (const parts of listSelections(provider.unconfirmed ?? [])) {
    const enabled = new Set(parts.map(({ part }) => part));
    const isRead = ({ resource }: FixturePage) => {
      const part = provider.resources.find(({ name }) => name === resource)?.part;
      return part === undefined || enabled.has(part);
    };
    const read = pages.filter(isRead).map((page) => mapPage({ ...provider, unconfirmed: parts }, page));
    checkDeclared(withParts(provider, enabled), read, [...enabled].map((part) => ` with ${part}`).join(''));
  }
}

function checkDeclared(provider: CloudProvider, all: readonly ProviderRecords[], ofParts: string): void {
  const metrics = new Set<string>(all.flatMap(listMetrics));
  assert.deepEqual([...provider.metrics].sort(), [...metrics].sort(), `metrics${ofParts}`);
  const has = (read: (records: ProviderRecords) => readonly unknown[]) => all.some((one) => read(one).length > 0);
  const hasSleep = has(({ sleep }) => sleep);
  const hasWorkouts = has(({ workouts }) => workouts);
  assert.equal(provider.hasSleep, hasSleep, `hasSleep${ofParts}`);
  const device = { id: 'device' as DeviceId };
  const sleeps = all.flatMap(({ sleep }) => sleep).map((session) => averageVitals([{ device, session }]).vitals);
  const vitals = SLEEP_VITALS.filter((id) => sleeps.some((reported) => reported[id] !== null));
  assert.deepEqual([...provider.sleepVitals].sort(), [...vitals].sort(), `sleepVitals${ofParts}`);
  assert.equal(provider.hasWorkouts, hasWorkouts, `hasWorkouts${ofParts}`);
  for (const id of provider.metrics)
    assert.ok(isSampledByProviders(getMetricOrThrow(id)), `${id} is computed by the service and must not be mapped`);
}

export function checkScopes(provider: CloudProvider): void {
  const { scopes } = provider.oauth;
  if (Object.keys(scopes).length === 0) return; // users choose on the provider's page
  const opened = new Set(Object.values(scopes).flat());
  const opening = SCOPES.filter((category) => opened.has(category));
  assert.deepEqual(opening, listDeliveredCategories(withAllParts(provider)));
  for (const { name, scope } of provider.resources)
    assert.ok(scope === null || (scopes[scope] ?? []).length > 0, `the scope of ${name} opens nothing`);
}

function listSelections<Item>(items: readonly Item[]): (readonly Item[])[] {
  return items.reduce<(readonly Item[])[]>(
    (selections, item) => selections.flatMap((selection) => [selection, [...selection, item]]),
    [[]],
  );
}

/** With every unconfirmed part, as `mapPage` maps. */
function withAllParts(provider: CloudProvider): CloudProvider {
  return withParts(provider, new Set(provider.unconfirmed?.map(({ part }) => part)));
}

function listMetrics({ samples, daily }: ProviderRecords): MetricId[] {
  return [...samples.keys(), ...daily.map(({ metric }) => metric)];
}

export function checkZero(provider: CloudProvider, { zero }: ProviderFixtures): void {
  const { samples, daily } = mapPage(provider, zero.page);
  if (withAllParts(provider).metrics.length === 0) return; // workouts only
  assert.ok(zero.metrics.length > 0, 'the fixture names no metric');
  for (const metric of zero.metrics) {
    const ofSamples = listReported({ samples }, metric);
    const values = [...ofSamples, ...daily.filter((value) => value.metric === metric)].map(({ value }) => value);
    assert.ok(values.includes(0), `${metric} is ${values.join()}`);
  }
}

export function checkNaps(provider: CloudProvider, { naps, pages }: ProviderFixtures): void {
  if (!withAllParts(provider).hasSleep) return;
  const keys = pages.flatMap((page) => mapPage(provider, page).sleep.map(({ key }) => key));
  assert.ok(naps.length > 0, 'the fixture names no nap');
  for (const nap of naps) assert.ok(keys.includes(nap), `the nap ${nap} is missing`);
}

export function checkSessions(provider: CloudProvider, { sessions, pages }: ProviderFixtures): void {
  const all = pages.map((page) => mapPage(provider, page));
  for (const { kind, key, start, end } of sessions) {
    const found = all.flatMap((one) => listSessions(one, kind)).find((one) => one.key === key);
    assert.ok(found, `no ${kind} ${key}`);
    assert.equal(new Date(found.start).toISOString(), new Date(start).toISOString(), `the start of ${key}`);
    assert.equal(new Date(found.end).toISOString(), new Date(end).toISOString(), `the end of ${key}`);
    assert.equal(found.offsetMinutes, offsetOf(start), `the offset of ${key}`);
  }
  const nights = sessions.filter(({ kind }) => kind === 'sleep');
  const { hasSleep, hasWorkouts } = withAllParts(provider);
  if (hasSleep)
    assert.ok(
      nights.some(({ start, end }) => start.slice(0, 10) !== end.slice(0, 10)),
      'no night over midnight',
    );
  if (hasSleep || hasWorkouts)
    assert.ok(new Set(sessions.map(({ start }) => offsetOf(start))).size > 1, 'only one offset');
}

function listSessions(records: ProviderRecords, kind: 'sleep' | 'workout'): readonly (SleepSession | Workout)[] {
  return kind === 'sleep' ? records.sleep : records.workouts;
}

function offsetOf(text: string): number {
  return Math.round(Temporal.ZonedDateTime.from(`${text}[${text.slice(-6)}]`).offsetNanoseconds / 60e9);
}

export function checkBigIds(provider: CloudProvider, { bigIds, webhook }: ProviderFixtures): void {
  for (const { kind, page, key } of bigIds) {
    const records = mapPage(provider, page);
    const keys = listSessions(records, kind).map((one) => one.key);
    assert.ok(keys.includes(key), `${key} became ${keys.join()}`);
  }
  const { hasSleep, hasWorkouts } = withAllParts(provider);
  if (hasSleep || hasWorkouts) assert.ok(bigIds.length > 0, 'no id beyond 2^53');
  if (webhook === null || provider.webhook === null) return;
  const webhooks = provider.webhook.readWebhookItems(Buffer.from(webhook.bigUser.body));
  assert.ok(webhooks.length > 0);
  for (const { providerUserId } of webhooks) assert.equal(providerUserId, webhook.bigUser.providerUserId);
}

export function checkDeleted(provider: CloudProvider, { deletedSleep = [], pages }: ProviderFixtures): void {
  const mapped = pages.flatMap((page) => mapPage(provider, page).deletedSleep);
  assert.deepEqual(mapped.toSorted(), deletedSleep.toSorted());
}

export function checkTwice(provider: CloudProvider, { pages }: ProviderFixtures): void {
  for (const page of pages) {
    const given = freeze(structuredClone(page));
    const first = mapPage(provider, given);
    assert.deepEqual(mapPage(provider, given), first);
    assert.deepEqual(mapPage(provider, page), first);
  }
}

/** Samples are identified by their start: two resources with the same starts would replace each other's on every poll. */
export function checkApart(provider: CloudProvider, { pages }: ProviderFixtures): void {
  const tellers = new Map<string, string>();
  for (const page of pages) {
    const records = mapPage(provider, page);
    for (const metric of records.samples.keys())
      for (const { start } of listReported(records, metric)) {
        const position = `${metric} at millisecond ${start % 1_000}`;
        const teller = tellers.getOrInsertComputed(position, () => page.resource);
        assert.equal(page.resource, teller, position);
      }
  }
}

/** Writing to it throws. */
function freeze(page: FixturePage): FixturePage {
  const freezeAll = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    Object.freeze(value);
    for (const part of Object.values(value)) freezeAll(part);
  };
  freezeAll(page);
  return page;
}
