-- A user whose inputs end before there is a baseline is not scored again, so the end of the calibration is stored.

alter table users add column calibrating_until timestamptz;
comment on column users.calibrating_until is 'when calibrating ends if no more data arrives; null: not calibrating, or no score yet';
update users set calibrating_until = last_score_at + interval '7 days' where score_status = 'calibrating' and last_score_at is not null;
