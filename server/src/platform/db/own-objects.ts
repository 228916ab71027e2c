// SQL conditions that find Tributary's objects in PostgreSQL's catalog, in a database that may have others too.

/** Of a schema n: the one of our tables, which search_path decides, or the one of the job queue. */
export const IS_OWN_SCHEMA = `n.oid in (
  (select relnamespace from pg_class where oid = to_regclass('schema_migrations')), to_regnamespace('graphile_worker'))`;

/** Of an extension, such as the views of pg_stat_statements and Citus. */
export function isOfExtension(catalog: 'pg_class' | 'pg_proc', oid: string): string {
  return `exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e')`;
}
