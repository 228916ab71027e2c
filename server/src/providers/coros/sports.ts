// COROS' modes. Sources agree on the first list; the second and the submodes are in one source only, and about 15, 19, 20, 21 and
// 22 they contradict each other.

const AGREED: Readonly<Record<number, string>> = {
  8: 'running',
  9: 'cycling',
  10: 'swimming',
  13: 'triathlon',
  14: 'mountaineering',
  16: 'hiking',
  18: 'cardio_training',
  23: 'strength_training',
  24: 'rowing',
  31: 'walking',
};

const UNCONFIRMED: Readonly<Record<number, string>> = {
  27: 'windsurfing',
  29: 'backcountry_skiing',
  32: 'fishing',
  33: 'rock_climbing',
  34: 'jump_rope',
  36: 'badminton',
  37: 'table_tennis',
  38: 'basketball',
  39: 'soccer',
  40: 'pickleball',
  41: 'elliptical',
  42: 'yoga',
  43: 'pilates',
  44: 'boxing',
  45: 'disc_sports',
  46: 'skateboarding',
  47: 'tennis',
};

const SUBMODES: Readonly<Record<string, string>> = {
  '8-2': 'treadmill_running',
  '8-3': 'trail_running',
  '8-4': 'track_and_field',
  '9-2': 'indoor_cycling',
  '9-3': 'e_biking',
  '9-4': 'gravel_cycling',
  '9-5': 'mountain_biking',
  '10-1': 'open_water_swimming',
  '10-2': 'pool_swimming',
};

export function toSportType(mode: number | null, subMode: number | null, readsAll: boolean): string {
  if (mode === null) return 'other';
  const special = readsAll ? (SUBMODES[`${mode}-${subMode}`] ?? UNCONFIRMED[mode]) : undefined;
  return special ?? AGREED[mode] ?? 'other';
}
