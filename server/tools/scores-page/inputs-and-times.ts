// Where the inputs of scores come from, and when scores are worked out again.
import { STILL_WINDOW } from '../../src/domain/scores/stress-windows.ts';
import { DAY_SCORES_EVERY_MS } from '../../src/features/pipeline/scoring/mark.ts';
import { table } from '../generate-pages.ts';

const HOUR_MS = 3_600_000;

export function writeInputs(): string[] {
  return [
    '## Where inputs come from',
    '',
    'Scores read canonical values only: a change of what is chosen changes the scores. Scores of other vendors are never inputs.',
    'Where several are named, the first that the day has speaks, and is held against the same one of the days before.',
    '',
    ...table(
      ['Input', 'Taken from'],
      [
        ['asleep, naps included', '`asleep` of the date'],
        ['in bed, awake, deep, REM', 'the main sleep; then `time_in_bed`, `time_awake`, `deep_sleep`, `REM`'],
        ['middle of the sleep', '`sleep_midpoint`'],
        [
          'HRV of the night',
          '`sleep_heart_rate_variability`, `heart_rate_variability_rmssd`, `heart_rate_variability`; each device and kind has a baseline of its own',
        ],
        ['resting heart rate', '`resting_heart_rate`, `sleep_heart_rate_min`'],
        ['breathing', '`sleep_respiratory_rate`, `respiratory_rate`'],
        [
          'temperature',
          '`sleep_temperature_deviation`; then `sleep_skin_temperature`, `sleep_wrist_temperature` or `sleep_body_temperature` less its baseline',
        ],
        ['workouts', 'those shown, so that none counts twice'],
        [
          'other movement',
          '`heart_rate` samples outside of workouts and sleep where they are of all the day; else `steps`',
        ],
        [
          'waking heart rate and HRV',
          `quarter hours awake with fewer than ${STILL_WINDOW.belowSteps} steps and ${STILL_WINDOW.afterWorkoutMinutes} minutes after any workout`,
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
    '## When scores change',
    '',
    'Uploads only mark days. A second later the scores of these days are worked out, and of every later day whose baselines they are part of.',
    `Strain, stress and energy reserve of the present day follow new data at most every ${DAY_SCORES_EVERY_MS / HOUR_MS} hours, and once more when the local day has ended; nutrition`,
    'is worked out when the day has ended. Settings, the profile and the removal of a device are followed at once.',
    '',
    'Once a day has ended, its scores depend on its data only, not on when the data arrived. A sleep or workout also corrects the scores of the',
    'other days it lies on. For example, a night that begins at 22:30 and arrives the next morning removes the time from 22:30 from the waking',
    'hours of the evening, so that stress, strain and energy reserve of that day change, and recovery of the next day with them.',
    '',
    'A run that gives the same result changes nothing: `computed_at` stays, and no `score.updated` is sent. A score that can no longer be made is removed.',
    '`GET /v1/users/{id}/scores/explain` tells what each factor was read from, what is usual, and what was missing.',
    '',
  ];
}
