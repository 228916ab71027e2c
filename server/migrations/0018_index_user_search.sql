-- Indexes behind the list and the search of users. None contains a column that uploads change, so that their updates of users stay in place.

create index users_by_reference_prefix on users (account_id, environment, lower(reference_id) text_pattern_ops) where status = 'active';
create index users_by_metadata on users
  using gin ((to_tsvector('simple', metadata) || array_to_tsvector(array[account_id::text || environment])));
create index users_with_settings on users (account_id, environment, created_at desc, id desc) where status = 'active' and consolidation is not null;
create index devices_to_reconnect on devices (user_id) where status = 'reauthorize';
create index roster_members_by_email on roster_members (account_id, lower(email) text_pattern_ops) where status <> 'removed';
create index feed_events_by_id on feed_events (id);
