// The command line of the server: durable, private, and sized for a small machine that also runs the service.

import { SOCKET_PORT } from './socket-folder.ts';

export function listServerArguments(
  clusterDir: string,
  socketDir: string,
  extraSettings: Readonly<Record<string, string>>,
): string[] {
  const settings = { ...SETTINGS, unix_socket_directories: quoteFolder(socketDir), ...extraSettings };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', clusterDir, '-k', quoteFolder(socketDir), '-p', String(SOCKET_PORT), ...options];
}

/** The setting is a list: without quotes a comma in the path would split it. */
function quoteFolder(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}

const SETTINGS = {
  // Only reachable through the socket.
  listen_addresses: '',
  unix_socket_permissions: '0700',

  // Commits are on the disk before they are acknowledged.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',

  // For a machine with two cores, 2 GB and an SSD.
  max_connections: '100', // the service sizes it for its processes
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  random_page_cost: '1.1',
  jit: 'off',
  huge_pages: 'off',
  max_wal_size: '1GB',
  wal_compression: 'on',
  max_worker_processes: '4',
  max_parallel_workers: '2',
  max_parallel_workers_per_gather: '1',
  max_parallel_maintenance_workers: '1',
  io_workers: '2',
  max_logical_replication_workers: '0',
  autovacuum: 'on',
  autovacuum_max_workers: '2',

  timezone: 'UTC',
  log_timezone: 'UTC',

  // Logs go to the service's log without details and statements, which could contain health data. Callers report errors of
  // single statements, so only messages about the whole server are logged.
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
};
