import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findConsolidationKey } from '../../../domain/consolidate/consolidation-keys.ts';
import { type MetricId, metricNumberOf } from '../../../domain/metrics/index.ts';
import { createSheet, type MonthNumber, type MonthSheet } from '../../../domain/packed/month-sheets/index.ts';
import type { EpochMs } from '../../../domain/records/records.ts';
import type { DeviceId, DeviceNumber } from '../../../domain/tenancy.ts';
import { hasDifferences, listKeySources } from './key-sources.ts';

const STEPS = findConsolidationKey('steps') ?? assert.fail('no such key');
const device = (number: number, transport: 'sdk' | 'cloud') => ({
  number: number as DeviceNumber,
  id: `device-${number}` as DeviceId,
  provider: transport === 'sdk' ? 'apple_health' : 'garmin',
  deviceClass: 'wrist' as const,
  transport,
  connectedAt: 0 as EpochMs,
});
const DEVICES = [device(1, 'cloud'), device(2, 'sdk'), device(3, 'sdk')];

function sheetOf(values: Readonly<Record<number, number>>): MonthSheet {
  const sheet = createSheet();
  for (const [day, value] of Object.entries(values))
    sheet.set(metricNumberOf('steps' as MetricId), Number(day), { value, note: '' });
  return sheet;
}
const month = (sheets: Readonly<Record<number, MonthSheet>>) =>
  new Map([
    [
      24_315 as MonthNumber,
      new Map(Object.entries(sheets).map(([number, sheet]) => [Number(number) as DeviceNumber, sheet])),
    ],
  ]);

describe('the sources of a consolidation key', () => {
  it('are the devices with values, best first, each with its reason', () => {
    const sheets = month({ 1: sheetOf({ 3: 100 }), 2: sheetOf({ 3: 90 }) });
    assert.deepEqual(
      listKeySources(STEPS, DEVICES, sheets).map((one) => [one.device.number, one.rankReason]),
      [
        [2, 'transport'],
        [1, 'transport'],
      ],
    );
    assert.deepEqual(listKeySources(STEPS, DEVICES, month({})), []);
  });

  it('differ if two have other values on the same day', () => {
    assert.equal(hasDifferences(STEPS, month({ 1: sheetOf({ 3: 100 }), 2: sheetOf({ 3: 90 }) })), true);
    assert.equal(hasDifferences(STEPS, month({ 1: sheetOf({ 3: 100 }), 2: sheetOf({ 3: 100, 4: 5 }) })), false);
    assert.equal(hasDifferences(STEPS, month({ 1: sheetOf({ 3: 100 }), 2: sheetOf({ 4: 90 }) })), false);
    assert.equal(hasDifferences(STEPS, month({ 1: sheetOf({ 3: 100, 4: 2 }) })), false);
  });
});
