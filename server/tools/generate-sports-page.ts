// Generates docs/sports.md: the workout sports and their names on other platforms.
import { SPORTS } from '../src/domain/workouts/sports.ts';
import { GENERATED_HEADER, table } from './generate-pages.ts';

export function writeSportsPage(): string {
  const rows = SPORTS.map(({ type, displayName, family, healthKit, healthConnect }) => [
    `\`${type}\``,
    displayName,
    family.replaceAll('_', ' '),
    listNames(healthKit),
    listNames(healthConnect),
  ]);
  return [
    '# Sports',
    '',
    GENERATED_HEADER,
    '',
    `\`sport_type\` (Form 2: \`type\`) of a workout is one of these ${SPORTS.length} sports. The family of the sport decides which daily metrics the workout adds to.`,
    '',
    'In an upload you can send our type or the name that a platform uses, with or without its prefix: `HKWorkoutActivityTypeRunning`, `running`,',
    '`EXERCISE_TYPE_RUNNING`. Case, spaces, hyphens and underscores do not matter. Any other name becomes `other`; the workout keeps it as its',
    '`name`, unless you send a `name`. A workout is never rejected for its sport.',
    '',
    ...table(
      ['Sport', 'Name', 'Family', 'HealthKit: `HKWorkoutActivityType…`', 'Health Connect: `EXERCISE_TYPE_…`'],
      rows,
    ),
    '',
  ].join('\n');
}

function listNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ') || '–';
}
