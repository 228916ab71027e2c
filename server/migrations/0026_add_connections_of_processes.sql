-- How many connections a process opens at most, so that the sum over all processes can be compared with max_connections.
alter table processes add column connections integer constraint processes_connections_check check (connections > 0);
comment on column processes.connections is 'at most; null: an earlier version';
