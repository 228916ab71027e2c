-- The scorer claims the users of each account that wait longest, whatever the number of users of other accounts before and behind them.

create index scoring_queue_by_account on scoring_queue (account_id, due_at) where due_at is not null;
