-- Secrets that can be rotated.

-- Links to the privacy portal carry the version of their person; raising it ends every link made before.
alter table roster_people add column link_version integer not null default 1 check (link_version > 0);
-- When new links were asked for by mail, the newest first; no more than are needed to limit them.
alter table roster_people add column link_requests timestamptz[] not null default '{}';
