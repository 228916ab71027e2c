-- In a column of its own: workers of an earlier version read any `details` of a window as what it reconciles.

alter table sync_tasks add column paging json;
comment on column sync_tasks.paging is 'pages of a window so far, and a cursor that led to one of them; only valid for the step that it names';
update sync_tasks set details = null where kind = 'window' and details -> 'paging' is not null;
