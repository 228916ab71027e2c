import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_NOTE_BYTES } from '../packed/month-sheets/sheet-format.ts';
import { RECORDING_METHODS } from '../records/records.ts';
import type { DeviceNumber } from '../tenancy.ts';
import {
  DAY_ORIGINS,
  formatContributors,
  formatDeviceDayNote,
  parseContributors,
  parseDeviceDayNote,
  parseHrvKind,
} from './day-notes.ts';

describe('notes of a device’s day', () => {
  it('round-trip for every unit', () => {
    for (const origin of DAY_ORIGINS)
      for (const method of RECORDING_METHODS)
        for (const unit of ['count', 'fl oz', '°C', '', ' ', 'a  b'])
          assert.deepEqual(parseDeviceDayNote(formatDeviceDayNote({ origin, unit, method })), { origin, unit, method });
  });

  it('are rejected if malformed', () => {
    for (const note of ['', 'stated', 'stated often bpm', 'guessed automatic bpm'])
      assert.throws(() => parseDeviceDayNote(note), /malformed note/);
  });
});

describe('notes of a consolidated day', () => {
  it('name the devices, best first, or none', () => {
    assert.equal(formatContributors([3, 1] as DeviceNumber[]), '3,1');
    assert.deepEqual(parseContributors('3,1'), [
      { device: 3, value: null },
      { device: 1, value: null },
    ]);
    assert.equal(formatContributors([]), '');
    assert.deepEqual(parseContributors(''), []);
  });

  it('name the kind of heart rate variability, and parse without it', () => {
    const note = formatContributors([3, 1] as DeviceNumber[], 'sdnn');
    assert.deepEqual([parseContributors(note).map(({ device }) => device), parseHrvKind(note)], [[3, 1], 'sdnn']);
    assert.deepEqual([parseHrvKind('3,1'), parseHrvKind(''), parseHrvKind('2 rmssd')], [null, null, 'rmssd']);
  });

  it('of hundreds of devices fit into a sheet with what each contributed', () => {
    const devices = Array.from({ length: 300 }, (_, index) => (30_000 - index) as DeviceNumber);
    const note = formatContributors(devices, 'rmssd', new Map(devices.map((device) => [device, -1 / 3])));
    assert.ok(note.length <= MAX_NOTE_BYTES, String(note.length));
  });

  it('name what a device contributed if its sheet does not have it', () => {
    for (const value of [35, 0, -61.25, 0.1 + 0.2, 1e-7, 1e21])
      for (const kind of [null, 'rmssd'] as const) {
        const note = formatContributors([3, 1] as DeviceNumber[], kind, new Map([[1 as DeviceNumber, value]]));
        assert.deepEqual(parseContributors(note), [
          { device: 3, value: null },
          { device: 1, value },
        ]);
        assert.equal(parseHrvKind(note), kind);
      }
  });
});
