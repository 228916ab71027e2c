// Kinds of sport: display name, the family that decides which daily metrics a workout feeds, and the platforms' own names.
import { sportsTable } from './sports-table.ts';

export const SPORT_FAMILIES = [
  'running',
  'walking',
  'hiking',
  'wheelchair',
  'cycling',
  'swimming',
  'rowing',
  'snow',
  'strength',
  'mind_body',
  'mixed',
  'paddling',
  'water',
  'skating',
  'team',
  'racket',
  'combat',
  'climbing',
  'other',
] as const;
export type SportFamily = (typeof SPORT_FAMILIES)[number];

export type Sport = {
  readonly type: string;
  readonly displayName: string;
  readonly family: SportFamily;
  readonly healthKit: readonly string[];
  readonly healthConnect: readonly string[];
};

export const SPORTS: readonly Sport[] = parseSports(sportsTable);

export const SPORT_TYPES: readonly string[] = SPORTS.map(({ type }) => type);

const byType = new Map(SPORTS.map((sport) => [sport.type, sport]));
/** Our own word decides where a platform uses it for another sport. */
const byAnyName = new Map(
  [
    ...SPORTS.flatMap((sport) => sport.healthConnect.map((name) => [simplify(name), sport] as const)),
    ...SPORTS.flatMap((sport) => sport.healthKit.map((name) => [simplify(name), sport] as const)),
    ...SPORTS.map((sport) => [simplify(sport.type), sport] as const),
  ].filter(([name]) => name !== ''),
);

export function findSport(type: string): Sport | null {
  return byType.get(type) ?? null;
}

/** What nobody knows is `other`; its own name stays with the workout (gap G-93). */
export function getSportOrOther(type: string): Sport {
  return byType.get(type) ?? (byType.get('other') as Sport);
}

/**
 * By our type or the name that a platform has for it: `HKWorkoutActivityType.traditionalStrengthTraining`,
 * `EXERCISE_TYPE_RUNNING_TREADMILL`, with or without the prefix. Case and separators do not matter.
 */
export function matchSport(name: string): Sport | null {
  return byAnyName.get(simplify(name)) ?? byAnyName.get(simplify(name.trim().replace(PLATFORM_PREFIX, ''))) ?? null;
}

/** As in `HKWorkoutActivityType.running` and `ExerciseSessionRecord.EXERCISE_TYPE_RUNNING`. */
const PLATFORM_PREFIX = /^(?:HKWorkoutActivityType|(?:ExerciseSessionRecord\.)?EXERCISE_TYPE)[._]?/i;

function simplify(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function parseSports(table: string): Sport[] {
  const [, ...lines] = table.trim().split('\n');
  return lines.map((line) => {
    const [type = '', displayName = '', family = '', healthKit = '', healthConnect = '', ...rest] = line
      .split('|')
      .map((cell) => cell.trim());
    const known = SPORT_FAMILIES.find((name) => name === family);
    if (known === undefined || rest.length > 0 || healthConnect === '')
      throw new Error(`not a line of sports: ${line}`);
    return {
      type,
      displayName,
      family: known,
      healthKit: splitNames(healthKit),
      healthConnect: splitNames(healthConnect),
    };
  });
}

function splitNames(cell: string): string[] {
  return cell === '-' ? [] : cell.split(' ');
}
