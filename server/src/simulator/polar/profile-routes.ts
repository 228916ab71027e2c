// The profile in Polar Flow. It has no history.
import { momentAt } from '../../domain/sandbox/index.ts';
import type { AccountView } from '../account-view.ts';
import type { SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { dataRoute } from './registration.ts';

/** Minutes after midnight at which it was entered. */
const ENTERED_AT = 8 * 60;
/** Uth and others, 2004: VO2 max from maximum and resting heart rate. */
const VO2_PER_HEART_RATIO = 15.3;

export const profileRoutes: readonly SimulatedRoute[] = [
  dataRoute({ path: '/v3/users/physical-info', answer: ({ view }) => replyJson(200, writeProfile(view)) }),
];

function writeProfile({ account, firstDate, today }: AccountView) {
  const { ageYears, sex, weightKg, heightCm, maxBpm, restingBpm } = account.person;
  const entered = new Date(momentAt(account.zone, firstDate, ENTERED_AT)).toISOString();
  const birthYear = Number(today.slice(0, 4)) - ageYears - 1;
  return {
    weight: weightKg,
    height: heightCm,
    created: entered,
    modified: entered,
    birthday: `${birthYear}-12-31`,
    gender: sex === 'female' ? 'FEMALE' : 'MALE',
    maximum_heart_rate: maxBpm,
    resting_heart_rate: Math.round(restingBpm),
    aerobic_threshold: Math.round(0.75 * maxBpm),
    anaerobic_threshold: Math.round(0.9 * maxBpm),
    vo2_max: Math.round((VO2_PER_HEART_RATIO * maxBpm) / restingBpm),
    weight_source: 'SOURCE_USER',
    training_background: 'REGULAR',
    typical_day: 'MOSTLY_SITTING',
    sleep_goal: 'PT8H',
  };
}
