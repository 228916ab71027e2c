// The bundled PostgreSQL: one real server, run as a child of the service, for people who bring no database of their own.

export { EmbeddedPostgresError } from './embedded-postgres-error.ts';
export { formatUrl } from './format-url.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
