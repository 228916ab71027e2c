import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
    assert.deepEqual(parseContributors('3,1'), [3, 1]);
    assert.equal(formatContributors([]), '');
    assert.deepEqual(parseContributors(''), []);
  });

  it('name the kind of heart rate variability, and parse without it', () => {
    const note = formatContributors([3, 1] as DeviceNumber[], 'sdnn');
    assert.deepEqual([parseContributors(note), parseHrvKind(note)], [[3, 1], 'sdnn']);
    assert.deepEqual([parseHrvKind('3,1'), parseHrvKind(''), parseHrvKind('2 rmssd')], [null, null, 'rmssd']);
  });
});
