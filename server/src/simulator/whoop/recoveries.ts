// The recovery of a night. Naps have none; it is selected by the time of its sleep.
import type { AccountDay, AccountView } from '../account-view.ts';
import { exactNumber } from '../exact-number.ts';
import { isNight } from '../record-edits.ts';
import { cycleIdOf } from './cycles.ts';
import { type WhoopRecord, writeScored } from './record.ts';
import { sleepIdOf } from './sleeps.ts';

/** Webhooks identify it by its sleep. */
export function listRecoveries(view: AccountView, day: AccountDay): WhoopRecord[] {
  const { person } = view.account;
  return day.sleeps.filter(isNight).map((sleep) => {
    const { heartRateVariability: hrv, bloodOxygen, skinTemperature } = sleep;
    const vigor = Math.log((hrv ?? person.hrvMs) / person.hrvMs);
    const body = {
      cycle_id: exactNumber(cycleIdOf(view, day.date)),
      sleep_id: sleepIdOf(view, sleep),
      ...writeScored(view, sleep.end, {
        score: () => ({
          user_calibrating: false,
          recovery_score: Math.min(99, Math.max(1, Math.round(60 + 120 * vigor))),
          resting_heart_rate: Math.round(day.lived.condition.restingBpm),
          hrv_rmssd_milli: hrv,
          spo2_percentage: bloodOxygen,
          skin_temp_celsius: skinTemperature,
        }),
      }),
    };
    return { id: body.sleep_id, startMs: sleep.start, body };
  });
}
