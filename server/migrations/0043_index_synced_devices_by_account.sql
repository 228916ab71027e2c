-- The syncer claims the devices of each account that wait longest, whatever the number of devices of other accounts before and behind them.

create index synced_devices_by_account on synced_devices (provider, account_id, due_at);
