-- A deleted SDK source stays barred without its identity, which may hold a name: a keyed hash takes its place. Rows of
-- earlier versions still have the identity; the hourly job replaces it, because SQL does not know the key.
alter table devices add column barred_identity text;
