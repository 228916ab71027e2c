-- The days of gathered changes, each of them: they are scored when they are told, not before.

alter table gathered_changes add column days datemultirange not null default '{}';
alter table gathered_changes add column measured_anew datemultirange not null default '{}';  -- beside them: only scores can move
update gathered_changes set days = datemultirange(daterange(from_date, to_date, '[]')) where from_date is not null;
alter table gathered_changes drop column from_date, drop column to_date;
alter table gathered_changes alter column days drop default, alter column measured_anew drop default;
