// An import that a member started by uploading a file, as it is stored and presented.
import { nullable, oneOfWords, timestamp, uuid } from '../../../../platform/http/schema.ts';
import { Type } from '../../../../platform/json-schema.ts';
import type { Actor } from '../../../tenancy/accounts/index.ts';
import type { CsvMapping } from '../csv/column-mapping.ts';

const STATUSES = ['uploading', 'running', 'done', 'failed', 'cancelled'] as const;

export type MemberImport = {
  readonly id: string;
  readonly user_id: string;
  readonly environment: string;
  readonly file_name: string;
  readonly status: (typeof STATUSES)[number];
  readonly format: string | null;
  readonly size_bytes: number;
  readonly received_bytes: number;
  /** Of the file that was read, from 0 to 1. */
  readonly share: number;
  readonly records: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly sources: readonly string[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
  readonly error: string | null;
  readonly started_at: string;
  readonly updated_at: string;
};

export const memberImportReply = Type.Object(
  {
    id: uuid('import'),
    user_id: uuid('user'),
    environment: Type.String(),
    file_name: Type.String(),
    status: oneOfWords(STATUSES),
    format: nullable(Type.String()),
    size_bytes: Type.Number(),
    received_bytes: Type.Number(),
    share: Type.Number(),
    records: Type.Integer(),
    accepted: Type.Integer({ description: 'new or corrected' }),
    duplicates: Type.Integer({ description: 'already stored' }),
    rejected: Type.Integer(),
    sources: Type.Array(Type.String()),
    skipped: Type.Dictionary(Type.Integer(), {
      description: 'records without a metric in the catalog, by their name in the file',
    }),
    problems: Type.Array(Type.String(), {
      description: 'the first records that could not be read, with line or entry',
    }),
    error: nullable(Type.String()),
    started_at: timestamp(),
    updated_at: timestamp(),
  },
  { title: 'FileImport' },
);

export type NewImport = {
  readonly file_name: string;
  readonly size_bytes: number;
  readonly timezone?: string | undefined;
  readonly mapping?: object | undefined;
};

export type MemberImportOptions = {
  /** Of times without an offset. */
  readonly timezone: string | null;
  readonly mapping: CsvMapping;
  /** Who started the import; a process that continues it writes the same name into the audit log. */
  readonly actor: Actor;
};
