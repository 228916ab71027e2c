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

const byType = new Map(SPORTS.map((sport) => [sport.type, sport]));
const byHealthKit = new Map(SPORTS.flatMap((sport) => sport.healthKit.map((name) => [name, sport])));
const byHealthConnect = new Map(SPORTS.flatMap((sport) => sport.healthConnect.map((name) => [name, sport])));

export function findSport(type: string): Sport | null {
  return byType.get(type) ?? null;
}

/** What nobody knows is `other`; its own name stays with the workout (gap G-93). */
export function getSportOrOther(type: string): Sport {
  return byType.get(type) ?? (byType.get('other') as Sport);
}

/** By the name of the case of HKWorkoutActivityType, as in `traditionalStrengthTraining`. */
export function findHealthKitSport(name: string): Sport | null {
  return byHealthKit.get(name) ?? null;
}

/** By the name of the constant, with or without its prefix, as in `EXERCISE_TYPE_RUNNING_TREADMILL`. */
export function findHealthConnectSport(name: string): Sport | null {
  return byHealthConnect.get(name.replace(/^EXERCISE_TYPE_/, '')) ?? null;
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
