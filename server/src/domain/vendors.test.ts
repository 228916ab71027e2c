import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CloudProviderId } from './provider-ids.ts';
import { findVendor, nameVendor } from './vendors.ts';

describe('the vendor of a source on the phone', () => {
  it('is recognized by bundle or package id', () => {
    const ids: Readonly<Record<CloudProviderId, string>> = {
      oura: 'com.ouraring.oura',
      whoop: 'com.whoop.iphone',
      withings: 'com.withings.wiScaleNG',
      garmin: 'com.garmin.connect.mobile',
      polar: 'fi.polar.polarflow',
      google_health: 'com.fitbit.FitbitMobile',
      ultrahuman: 'com.ultrahuman.android',
      concept2: 'com.concept2.ergdata',
      wahoo: 'com.WahooFitness.WahooFitness',
      strava: 'com.strava.stravaride',
      dexcom: 'com.dexcom.G7',
      suunto: 'com.stt.android.suunto',
      coros: 'com.yf.smart.coros.dist',
    };
    for (const [provider, id] of Object.entries(ids)) assert.equal(findVendor([id, null, null]), provider);
  });

  it('is recognized by name or model, whatever the case', () => {
    assert.equal(findVendor([null, 'OURA', null]), 'oura');
    assert.equal(findVendor(['B7D2', 'Sleep', 'Withings Sleep Analyzer']), 'withings');
  });

  it('is not one vendor if the app only copies records', () => {
    for (const text of ['nl.appyhapps.healthsync', 'com.rungap.RunGap']) assert.equal(findVendor([text]), 'other');
    assert.equal(findVendor(['nl.appyhapps.healthsync', null, 'Garmin fenix 7']), 'garmin');
    assert.deepEqual([nameVendor(['com.rungap.RunGap']), nameVendor(['Garmin'])], [null, 'garmin']);
  });

  it('is unknown if only part of a word matches, or without any text', () => {
    for (const text of ['com.apple.health', 'Flourah', 'Watch7,1', '', null]) assert.equal(findVendor([text]), null);
  });
});
