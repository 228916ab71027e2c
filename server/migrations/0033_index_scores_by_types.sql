-- Finds the newest day of each score, even of one that a user never had, without reading every day. The number has a bit for each score of the day.

create index scores_by_types on scores (user_id, ((recovery_score is not null)::int + (strain_score is not null)::int * 2
  + (sleep_score is not null)::int * 4 + (stress_score is not null)::int * 8 + (nutrition_score is not null)::int * 16
  + (energy_reserve_score is not null)::int * 32), date);
