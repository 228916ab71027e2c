// Checks the fields of a user and merges updates, for both API forms.

import { isTimeZoneName, type LocalDate, localDateAt, parseLocalDate } from '../../../domain/time/calendar.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import { AppError, type Issue } from '../../../platform/errors.ts';
import type { Profile } from '../../tenancy/user-core/index.ts';

export type ProfilePatch = { [Field in keyof Profile]?: Profile[Field] | null };
export type MetadataPatch = Readonly<Record<string, string | null>>;

export type UserFields = {
  readonly timezone?: string | null;
  readonly profile?: ProfilePatch | null;
  readonly metadata?: MetadataPatch | null;
};

export const MAX_METADATA_KEYS = 50;
const EARLIEST_BIRTH = '1900-01-01' as LocalDate; // no living person is older; catches typing errors such as 0201 for 2001

/** Checks what a JSON schema cannot express. Throws one error with all issues. */
export function checkUserFields(fields: UserFields, now: Date): void {
  const issues: Issue[] = [];
  if (typeof fields.timezone === 'string' && !isTimeZoneName(fields.timezone)) {
    issues.push({ path: 'timezone', message: 'must be an IANA time zone name such as Europe/Berlin' });
  }
  const birthDate = fields.profile?.birth_date;
  if (typeof birthDate === 'string') {
    const day = parseLocalDate(birthDate);
    const tomorrow = localDateAt(now.getTime() + DAY_MS, null); // east of UTC it may already be tomorrow
    if (day === null) issues.push({ path: 'profile.birth_date', message: 'must be a calendar day written YYYY-MM-DD' });
    else if (day < EARLIEST_BIRTH || day > tomorrow)
      issues.push({ path: 'profile.birth_date', message: 'must lie between 1900-01-01 and today' });
  }
  if (issues.length > 0) throw new AppError('invalid_body', { details: { issues } });
}

/** Null for a field clears it; null for the patch clears all fields. */
export function mergeProfile(current: Profile, patch: ProfilePatch | null | undefined): Profile {
  return merge(current, patch) as Profile;
}

export function mergeMetadata(
  current: Readonly<Record<string, string>>,
  patch: MetadataPatch | null | undefined,
): Record<string, string> {
  const merged = merge(current, patch) as Record<string, string>;
  if (Object.keys(merged).length > MAX_METADATA_KEYS) {
    throw new AppError('invalid_body', {
      details: { issues: [{ path: 'metadata', message: `must not have more than ${MAX_METADATA_KEYS} keys` }] },
    });
  }
  return merged;
}

function merge(current: object, patch: object | null | undefined): object {
  if (patch === undefined) return current;
  if (patch === null) return {};
  return Object.fromEntries(Object.entries({ ...current, ...patch }).filter(([, value]) => value !== null));
}
