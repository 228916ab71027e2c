// The six scores: computed here, never consolidated. One line a metric; parse-table.ts explains the columns.

export const scoresTable = `
id                   | name           | unit  | imperial | kind | samples | key      | methods | limits | usual  | decimals | accepts | ranking | healthkit | health connect | loinc | description
recovery_score       | Recovery       | score | =        | last | no      | computed | -       | 0..100 | 0..100 | 1        | score   | service | -         | -              | -     | How far the body is back to its usual state after the night
strain_score         | Strain         | score | =        | last | no      | computed | -       | 0..100 | 0..100 | 1        | score   | service | -         | -              | -     | Cardiovascular load of the day, log-compressed
sleep_score          | Sleep          | score | =        | last | no      | computed | -       | 0..100 | 0..100 | 1        | score   | service | -         | -              | -     | Quality of the night against need and guideline
stress_score         | Stress         | score | =        | mean | public  | computed | -       | 0..100 | 0..100 | 1        | score   | service | -         | -              | -     | Physiological arousal at rest against the usual level; also a sampled series
nutrition_score      | Nutrition      | score | =        | last | no      | computed | -       | 0..100 | 0..100 | 1        | score   | service | -         | -              | -     | How close the logged day is to reference intakes
energy_reserve_score | Energy reserve | score | =        | last | no      | computed | -       | 0..100 | 0..100 | 1        | score   | service | -         | -              | -     | Charge from sleep and recovery less the drain of the day
`;
