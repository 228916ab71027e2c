// Formats the address of a running server as a URL, for tools that need one.
import { isAbsolute } from 'node:path';

type PostgresAddress = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
};

/** The host of a socket is a folder and goes into the query, where `pg` expects it. */
export function formatUrl({ host, port, user, database }: PostgresAddress): string {
  const name = `${encodeURIComponent(user)}@`;
  if (!isAbsolute(host)) return `postgresql://${name}${host}:${port}/${encodeURIComponent(database)}`;
  return `postgresql://${name}localhost/${encodeURIComponent(database)}?host=${encodeURIComponent(host)}&port=${port}`;
}
