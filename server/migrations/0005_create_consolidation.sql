-- What a person's data is consolidated by, where it differs from the catalog. With the user, as every read and write of data needs it.

alter table users add column consolidation jsonb;
