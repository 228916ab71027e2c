// The download of the privacy portal: one JSON document with everything stored about a person, streamed while it is read.

import type { PersonId } from '../../../domain/roster.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { joinPieces, type Pieces } from '../../reads/exports/index.ts';
import { openOwnUser } from '../../tenancy/user-core/index.ts';
import { listOrganizations, type RosterMembership } from '../memberships/index.ts';
import type { ExportServices } from './export-months.ts';
import { exportTables, exportUser } from './export-user.ts';
import { DECODED_TABLES, PERSON_TABLES, USER_TABLES } from './personal-tables.ts';
import { writeList } from './write-list.ts';

/** Increased when the format changes incompatibly. */
const FORMAT_VERSION = 1;

export type ExportRequest = {
  readonly person: PersonId;
  /** The memberships whose users are exported. */
  readonly memberships: readonly RosterMembership[];
  readonly hasRaw: boolean;
};

export function exportPerson(services: ExportServices, request: ExportRequest): Pieces {
  return joinPieces(writePerson(services, request));
}

async function* writePerson(services: ExportServices, { person, memberships, hasRaw }: ExportRequest): Pieces {
  const { db, clock } = services;
  yield `{"format":"tributary-personal-data","version":${FORMAT_VERSION}`;
  yield `,"exported_at":${JSON.stringify(formatInstant(clock.now()))}`;
  yield `,"description":${JSON.stringify(DESCRIPTION)}`;
  yield `,"organizations":${JSON.stringify(await listOrganizations(db, person))}`;
  yield* exportTables(db, PERSON_TABLES, { person });
  yield ',"users":';
  yield* writeList(listUsers(services, memberships, hasRaw));
  yield ',"is_complete":true}\n';
}

async function* listUsers(
  services: ExportServices,
  memberships: readonly RosterMembership[],
  hasRaw: boolean,
): AsyncGenerator<Pieces> {
  for (const membership of memberships) {
    const own = await openOwnUser(services.db, membership.tenant, membership.userId);
    if (own !== null) yield exportUser(services, own.handle, membership, hasRaw);
  }
}

const describeTables = (tables: readonly { readonly section: string; readonly description: string }[]) =>
  tables.map(({ section, description }) => [section, description] as const);

const DESCRIPTION = {
  about:
    'Everything this service stores about you. Sections are read one after the other, so data that arrives during the export may appear only in later sections. Times are ISO 8601, binary values are hexadecimal. Credentials are omitted.',
  ...Object.fromEntries([
    ['organizations', 'Organizations that invited you, with the account_id used in other sections.'] as const,
    ...describeTables(PERSON_TABLES),
    ['users', 'Your data at each organization, in the sections below.'] as const,
    ...describeTables(USER_TABLES),
    ...describeTables(Object.values(DECODED_TABLES)),
  ]),
};
