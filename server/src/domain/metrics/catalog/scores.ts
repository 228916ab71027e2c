// The six scores: computed by the service, never consolidated. One line per metric; parse-table.ts explains the columns.

export const scoresTable = `
id                   | name           | unit  | imperial | kind | samples | key      | methods | limits | usual  | decimals | accepts | ranking | healthkit | health connect | loinc | description
recovery_score       | Recovery       | score | =        | last | no      | computed | -       | 0..100 | 0..100 | 1        | score   | service | -         | -              | -     | How close the body is to its usual state after the night
strain_score         | Strain         | score | =        | last | no      | computed | -       | 0..100 | 0..100 | 1        | score   | service | -         | -              | -     | Cardiovascular load of the day on a logarithmic scale
sleep_score          | Sleep          | score | =        | last | no      | computed | -       | 0..100 | 0..100 | 1        | score   | service | -         | -              | -     | Quality of the night compared with need and guideline
stress_score         | Stress         | score | =        | mean | public  | computed | -       | 0..100 | 0..100 | 1        | score   | service | -         | -              | -     | Physiological arousal at rest compared with the usual level; also available as samples
nutrition_score      | Nutrition      | score | =        | last | no      | computed | -       | 0..100 | 0..100 | 1        | score   | service | -         | -              | -     | How close the logged day is to reference intakes
energy_reserve_score | Energy reserve | score | =        | last | no      | computed | -       | 0..100 | 0..100 | 1        | score   | service | -         | -              | -     | Charge from sleep and recovery minus the drain of the day
`;
