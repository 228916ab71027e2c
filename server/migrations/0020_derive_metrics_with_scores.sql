-- The latest height before a day, however long ago it was measured: a body mass index is computed from it.
create index score_inputs_heights on score_inputs (user_id, date)
  where not is_hidden and inputs -> 'values' ? 'height';

-- Metrics that are computed with the scores: of every day that there is data of.
insert into scoring_marks (user_id, account_id, environment, days, due_at)
  select m.user_id, u.account_id, u.environment,
         datemultirange(daterange((date '1970-01-01' + min(m.month) * interval '1 month')::date, current_date, '[]')), now()
    from daily_months m join users u on u.id = m.user_id
   where date '1970-01-01' + m.month * interval '1 month' <= current_date
   group by m.user_id, u.account_id, u.environment
  on conflict (user_id) do update set days = scoring_marks.days + excluded.days,
    due_at = least(scoring_marks.due_at, excluded.due_at);
