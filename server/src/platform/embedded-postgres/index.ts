// The bundled PostgreSQL, run as a child process of the service for deployments without DATABASE_URL.

export { EmbeddedPostgresError } from './embedded-postgres-error.ts';
export { formatUrl } from './format-url.ts';
export { findOwnerConnection } from './running-server.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
