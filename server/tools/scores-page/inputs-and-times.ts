// The section on the inputs of scores and on when scores are recomputed.

import { STILL_WINDOW } from '../../src/domain/scores/stress-windows.ts';
import { HOUR_MS } from '../../src/domain/time/durations.ts';
import { DAY_SCORES_EVERY_MS } from '../../src/features/pipeline/scoring/queue-entry.ts';
import { table } from '../generate-pages.ts';

export function writeInputs(): string[] {
  return [
    '## Inputs',
    '',
    'Scores use canonical values only, so a change of the consolidation settings changes the scores. Scores of other vendors are never inputs.',
    'Where several metrics are listed, the first one that the day has is used, and compared with the same metric of the days before.',
    '',
    ...table(
      ['Input', 'Source'],
      [
        ['asleep, naps included', '`asleep` of the date'],
        [
          'in bed, awake, deep, REM',
          'the main sleep, if its provider is enabled for them; then `time_in_bed`, `time_awake`, `deep_sleep`, `REM`',
        ],
        ['middle of the sleep', '`sleep_midpoint`'],
        [
          'HRV of the night',
          '`sleep_heart_rate_variability`, `heart_rate_variability_rmssd`, `heart_rate_variability`; each device and kind has a separate baseline',
        ],
        ['resting heart rate', '`resting_heart_rate`, `sleep_heart_rate_min`'],
        ['breathing', '`sleep_respiratory_rate`, `respiratory_rate`'],
        [
          'temperature',
          '`sleep_temperature_deviation`; then `sleep_skin_temperature`, `sleep_wrist_temperature` or `sleep_body_temperature` minus its baseline',
        ],
        ['workouts', 'canonical workouts, so that none counts twice'],
        [
          'other movement',
          '`heart_rate` samples outside of workouts and sleep if they cover the whole day; otherwise `steps`',
        ],
        [
          'waking heart rate and HRV',
          `quarter hours awake with fewer than ${STILL_WINDOW.belowSteps} steps, at least ${STILL_WINDOW.afterWorkoutMinutes} minutes after any workout`,
        ],
        ['weight', '`weight`, the latest of 90 days; then the profile'],
        [
          'food',
          '`dietary_energy`, `protein`, `carbohydrates`, `fat`, `saturated_fat`, `fiber`, `sugar`, `sodium`, `water`',
        ],
      ],
    ),
    '',
  ];
}

export function writeTimes(): string[] {
  return [
    '## Updates',
    '',
    'An upload only queues days. A second later the service computes the scores of these days, and of every later day whose baselines they are part of.',
    `Strain, stress and energy reserve of the present day follow new data at most every ${DAY_SCORES_EVERY_MS / HOUR_MS} hours, and once more when the local day has ended; nutrition`,
    'is computed when the day has ended. Changes of settings, of the profile and the removal of a device take effect at once.',
    '',
    'Once a day has ended, its scores depend on its data only, not on when the data arrived. A sleep or workout also changes the scores of the',
    'other days that it touches. For example, a night that begins at 22:30 and arrives the next morning removes the time from 22:30 from the waking',
    'hours of the evening, so stress, strain and energy reserve of that day change, and with them the recovery of the next day.',
    '',
    'If the result is the same, nothing changes: `computed_at` stays, and no `score.updated` is emitted. A score that is no longer possible is removed.',
    '',
  ];
}
