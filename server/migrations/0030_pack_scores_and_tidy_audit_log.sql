-- Scores with packed details: an hourly job packs the JSON of earlier rows, because SQL cannot. The age of audit log entries, for
-- their retention.

alter table scores alter column details drop not null;
alter table scores add column packed_details bytea;
alter table scores add column packed_stress bytea;
alter table scores alter column packed_details set storage external;
alter table scores alter column packed_stress set storage external;
create index scores_unpacked on scores (user_id) where details is not null;
comment on column scores.details is 'only in rows of an earlier version that are not packed yet: the content of packed_details as JSON';
comment on column scores.stress_series is 'as details: the content of packed_stress as JSON';
comment on column scores.packed_details is 'per score: factors, coverage, when and by which version it was computed, and its sources; compressed';
comment on column scores.packed_stress is 'quarter hours since 1970 and the computed stress of each, where no device reported stress; compressed';

create index audit_log_by_age on audit_log (at);
