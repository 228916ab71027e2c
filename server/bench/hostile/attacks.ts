// All attacks on the API, by name.
import type { Attack } from './attack.ts';
import { BODY_ATTACKS } from './attack-bodies.ts';
import { LOOKUP_ATTACKS } from './attack-lookups.ts';
import { SHARE_ATTACKS } from './attack-shares.ts';

export const ATTACKS: Readonly<Record<string, Attack>> = { ...BODY_ATTACKS, ...LOOKUP_ATTACKS, ...SHARE_ATTACKS };
