-- History that is asked for now and pushed later is waited for by an errand of its own.

alter table sync_errands drop constraint sync_errands_kind_check;
alter table sync_errands add constraint sync_errands_kind_check
  check (kind in ('window', 'one', 'request', 'pushed', 'deleted', 'history', 'arrival', 'check', 'subscribe'));
