// tributary doctor: checks the deployment and says how to fix each problem. Changes nothing.
import { accessSync, constants, existsSync, lstatSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { COMMAND } from '../command-name.ts';
import { type Config, ConfigError, formatBaseUrl, loadConfig, tombstoneFileOf } from '../config.ts';
import { CITUS_LAYOUT } from '../distributed-tables.ts';
import { CliError } from '../platform/cli-error.ts';
import {
  isDataFolderLocked,
  readServiceAddress,
  readWorkerAddress,
  type ServiceAddress,
} from '../platform/data-folder.ts';
import { identifyNode } from '../platform/db/citus-nodes.ts';
import { createDatabase, type Database } from '../platform/db/database.ts';
import { type DatabaseHost, describeHost, withHost } from '../platform/db/database-url.ts';
import { loadMigrations } from '../platform/db/migrate.ts';
import { findOwnerConnection } from '../platform/embedded-postgres/index.ts';
import { refuseEmbeddedDatabase } from '../platform/external-database.ts';
import { createLogger } from '../platform/log.ts';
import { callOperatorSocket } from '../platform/operator-socket.ts';
import { FIX_TOMBSTONES } from '../platform/tombstones.ts';
import { findParts } from '../provider-parts.ts';
import { checkConnections } from './check-connections.ts';
import { checkPublicUrl, checkReadiness, isServiceAt } from './check-readiness.ts';
import { checkRedis } from './check-redis.ts';
import { type Finding, summarizeFindings, warning } from './finding.ts';
import { type DiagnosisReply, judgeApiKeys, judgeDiagnosis, type ListedKey } from './judge-diagnosis.ts';
import { printJson, type Terminal } from './terminal.ts';

const MINIMUM_FREE_BYTES = 1_073_741_824; // PostgreSQL stops when the disk is full; a gigabyte leaves time to react

export async function doctor(terminal: Terminal, options: { json?: boolean }): Promise<number> {
  const findings = await examine(terminal);
  const isWell = findings.every((finding) => finding.ok);
  if (options.json) printJson(terminal, { ok: isWell, checks: findings });
  else {
    for (const { ok, isWarning = false, check, found, fix } of findings)
      terminal.stdout(
        `${isWarning ? 'warn' : ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(14)} ${found}${(ok && !isWarning) || !fix ? '' : `\n      ${''.padEnd(14)} ${fix}`}\n`,
      );
    terminal.stdout(`${summarizeFindings(findings)}\n`);
  }
  return isWell ? 0 : 1;
}

async function examine(terminal: Terminal): Promise<Finding[]> {
  const runtime = checkRuntime();
  let config: Config;
  try {
    config = loadConfig(terminal.environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [runtime, ...error.problems.map((problem) => ({ check: 'configuration', ok: false, found: problem }))];
  }
  const { address, finding: service } = await findService(config);
  const rest =
    address === null
      ? [await checkPort(config)]
      : [
          await checkReadiness(address),
          await checkPublicUrl(address),
          await checkApiKeys(config, address),
          await checkOwners(config, address),
          ...(await checkDiagnosis(config, address)),
        ];
  return [
    runtime,
    { check: 'configuration', ok: true, found: 'every setting is valid' },
    {
      check: 'sandbox',
      ok: true,
      found: config.isSandboxOn
        ? 'on; simulated providers are served on the public port'
        : 'off (TRIBUTARY_SANDBOX=off); no simulated providers, sandbox keys are rejected',
    },
    ...checkProviderSettings(config),
    checkWebhookHosts(config),
    checkFolder(config),
    checkTombstones(config),
    checkSpace(config),
    ...checkSecrets(config),
    service,
    ...rest,
    ...(config.redisUrl === null ? [] : [await checkRedis(config.redisUrl)]),
    ...(config.databaseUrl === null
      ? await checkEmbeddedDatabase(config, address !== null)
      : await checkDatabase(config, config.databaseUrl, address !== null)),
  ];
}

function checkProviderSettings({ passOnRestricted, unconfirmedParts }: Config): Finding[] {
  const passedOn = [...passOnRestricted].join(', ');
  return [
    {
      check: 'restrictions',
      ok: true,
      found:
        passedOn === ''
          ? 'exports and assistants receive no data whose provider forbids it'
          : `exports and assistants receive data of ${passedOn} (TRIBUTARY_PASS_ON_RESTRICTED)`,
    },
    checkParts(unconfirmedParts),
  ];
}

function checkWebhookHosts({ allowPrivateWebhooks, webhookNetworks }: Config): Finding {
  const check = 'webhook hosts';
  if (allowPrivateWebhooks)
    return warning(
      check,
      'every customer can reach this machine (TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS)',
      'Remove this setting in production. Name private networks with receivers in TRIBUTARY_WEBHOOK_NETWORKS.',
    );
  const networks = webhookNetworks.join(', ');
  const also = networks === '' ? '' : `, and ${networks} also over http (TRIBUTARY_WEBHOOK_NETWORKS)`;
  return { check, ok: true, found: `public addresses over https${also}` };
}

function checkParts(names: ReadonlySet<string>): Finding {
  const check = 'unconfirmed';
  try {
    findParts(names);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { check, ok: false, found: error.problems.join(' '), fix: 'Correct TRIBUTARY_UNCONFIRMED_PARTS.' };
  }
  return {
    check,
    ok: true,
    found: names.size === 0 ? 'no unconfirmed part is enabled' : `on: ${[...names].join(', ')}`,
  };
}

function checkRuntime(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  return {
    check: 'runtime',
    ok: major >= 26,
    found: `Node ${process.versions.node}`,
    fix: 'Run "npm ci", then start through npm, which uses the bundled Node 26.',
  };
}

function checkFolder({ dataDir }: Config): Finding {
  const target = findExisting(dataDir);
  const fix =
    'Make the user that runs the service the owner of the folder, or set TRIBUTARY_DATA_DIR to another folder.';
  try {
    if (!statSync(target).isDirectory()) throw new Error('a file');
    accessSync(target, constants.R_OK | constants.W_OK | constants.X_OK);
    return {
      check: 'data folder',
      ok: true,
      found: target === dataDir ? dataDir : `${dataDir} will be created by the first start`,
    };
  } catch {
    return { check: 'data folder', ok: false, found: `${target} is not a folder that the service can use`, fix };
  }
}

/** The path, or the nearest folder above it that exists: a start creates those below. A link that leads nowhere exists. */
function findExisting(path: string): string {
  try {
    lstatSync(path);
    return path;
  } catch {
    return findExisting(dirname(resolve(path)));
  }
}

/** The start of the service creates the file, and the folders above it. */
function checkTombstones(config: Config): Finding {
  const file = tombstoneFileOf(config);
  const target = findExisting(file);
  const check = 'tombstones';
  try {
    const isFolder = statSync(target).isDirectory();
    if (isFolder === (target === file)) throw new Error('a folder instead of a file, or vice versa');
    accessSync(target, isFolder ? constants.W_OK | constants.X_OK : constants.W_OK);
    return { check, ok: true, found: file };
  } catch {
    return { check, ok: false, found: `${file} cannot be written`, fix: FIX_TOMBSTONES };
  }
}

function readFreeBytes({ dataDir }: Config): number {
  let target = dataDir;
  while (!existsSync(target)) target = dirname(resolve(target));
  const { bavail, bsize } = statfsSync(target);
  return bavail * bsize;
}

function checkSpace(config: Config): Finding {
  const free = readFreeBytes(config);
  return {
    check: 'free space',
    ok: free > MINIMUM_FREE_BYTES,
    found: `${(free / 1_073_741_824).toFixed(1)} GiB`,
    fix: 'Free some space, or move the data folder to a larger disk.',
  };
}

function checkSecrets({ dataDir }: Config): Finding[] {
  return ['master.key', 'service.json', 'worker.json'].flatMap((name) => {
    const file = join(dataDir, name);
    if (!existsSync(file)) return [];
    const mode = statSync(file).mode & 0o777;
    return [
      {
        check: name,
        ok: (mode & 0o077) === 0,
        found: `mode ${mode.toString(8)}`,
        fix: `Other users can read it. Run: chmod 600 ${file}`,
      },
    ];
  });
}

/** The API process of the data folder, or else its worker. Null: neither answers, which is no failure. */
async function findService({ dataDir }: Config): Promise<{ address: ServiceAddress | null; finding: Finding }> {
  const recorded = [readServiceAddress(dataDir), readWorkerAddress(dataDir)].filter((address) => address !== null);
  for (const address of recorded) {
    const reply = await callOperatorSocket(dataDir, address, '/admin/accounts', { method: 'GET' });
    const kind = address.role === 'worker' ? 'worker process' : 'process';
    if (reply?.status === 200)
      return { address, finding: describeService(`running, ${kind} ${address.pid}, ${address.publicUrl}`) };
  }
  if (recorded.length === 0) return { address: null, finding: describeService('not running on this data folder') };
  const found = isDataFolderLocked(dataDir)
    ? 'running, but it does not answer the command line'
    : 'not running; the last stop was not clean (the next start recovers)';
  return { address: null, finding: describeService(found) };
}

const describeService = (found: string): Finding => ({ check: 'service', ok: true, found });

async function checkApiKeys({ dataDir }: Config, address: ServiceAddress): Promise<Finding> {
  const reply = await callOperatorSocket(dataDir, address, '/admin/keys', { method: 'GET' });
  if (reply?.status !== 200)
    return { check: 'API keys', ok: true, found: 'not checked: the service did not list them' };
  return judgeApiKeys((reply.body as { data: ListedKey[] }).data);
}

/** A service of an earlier version has no diagnosis. */
async function checkDiagnosis(config: Config, address: ServiceAddress): Promise<Finding[]> {
  const { dataDir, databaseUrl } = config;
  const reply = await callOperatorSocket(dataDir, address, '/admin/diagnosis', { method: 'GET' });
  if (reply?.status !== 200) return [];
  return judgeDiagnosis(reply.body as DiagnosisReply, databaseUrl === null ? readFreeBytes(config) : null);
}

async function checkOwners({ dataDir }: Config, address: ServiceAddress): Promise<Finding> {
  const check = 'owners';
  const path = '/admin/accounts-without-owner';
  const reply = await callOperatorSocket(dataDir, address, path, { method: 'GET' });
  if (reply?.status !== 200) return { check, ok: true, found: 'not checked: the service did not list them' };
  const { data } = reply.body as { data: string[] };
  if (data.length === 0) return { check, ok: true, found: 'every account has one' };
  const fix = `Print a link for the first owner: ${COMMAND} dashboard-link --account NAME`;
  return { check, ok: true, isWarning: true, found: `none for ${data.join(', ')}`, fix };
}

async function checkServer(db: Database): Promise<Finding> {
  try {
    const [server] = await db.query<{ number: number; name: string; migrated: boolean }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as name, to_regclass('schema_migrations') is not null as migrated`,
    );
    const found = `PostgreSQL ${server?.name}, ${server?.migrated ? 'set up' : `empty: the first start applies ${loadMigrations().length} migrations`}`;
    return {
      check: 'database',
      ok: (server?.number ?? 0) >= 150_000,
      found,
      fix: 'Use PostgreSQL 15 or newer.',
    };
  } catch (error) {
    return {
      check: 'database',
      ok: false,
      found: describeCause(error),
      fix: 'Check DATABASE_URL, and that the server is running.',
    };
  }
}

function describeCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : String(cause);
}

async function checkDatabaseRole(db: Database): Promise<Finding> {
  const [row] = await db.query<{ name: string; powers: string[] }>(
    `select rolname as name, array_remove(array[case when rolsuper then 'SUPERUSER' end, case when rolbypassrls then 'BYPASSRLS' end,
            case when rolcreaterole then 'CREATEROLE' end], null) as powers from pg_roles where rolname = current_user`,
  );
  const { name = '', powers = [] } = row ?? {};
  const check = 'database role';
  if (powers.length === 0) return { check, ok: true, found: `${name}, without special rights` };
  const fix = 'Create a separate role for the service (docs/operations.md, "Database roles").';
  return { check, ok: true, isWarning: true, found: `${name} has ${powers.join(', ')}, which it does not need`, fix };
}

/** Only the first check fails if the database is unreachable, or not set up yet. */
async function checkDatabase(config: Config, url: string, isRunning: boolean): Promise<Finding[]> {
  const db = createDatabase({ maxConnections: 1, log: createLogger('silent') });
  db.attach({ url });
  const findings = isRunning ? [] : [await checkServer(db)];
  try {
    if (findings.every(({ ok }) => ok)) {
      findings.push(await checkDatabaseRole(db));
      findings.push(await checkConnections(db, config));
      for (const host of config.citusNodes) findings.push(await checkCitusNode(db, url, host));
    }
  } catch {
    // reported by the first check, or by the readiness of the service
  } finally {
    await db.close();
  }
  return findings;
}

/** The server runs with the service. If it does not answer, the readiness of the service says so. */
async function checkEmbeddedDatabase(config: Config, isRunning: boolean): Promise<Finding[]> {
  if (!isRunning) return checkMarks(config);
  const target = await findOwnerConnection(config.dataDir);
  if (target === null) return [];
  const db = createDatabase({ maxConnections: 1, log: createLogger('silent') });
  db.attach(target);
  try {
    return [await checkConnections(db, config)];
  } catch {
    return [];
  } finally {
    await db.close();
  }
}

/** Whether the next start would be refused, because the service used another database before. */
function checkMarks({ dataDir }: Config): Finding[] {
  try {
    refuseEmbeddedDatabase(dataDir);
    return [];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [{ check: 'database', ok: false, found: error.message }];
  }
}

/** Only a warning: uploads then use the coordinator. */
async function checkCitusNode(coordinator: Database, url: string, host: DatabaseHost): Promise<Finding> {
  const node = createDatabase({ maxConnections: 1, log: createLogger('silent') });
  node.attach({ url: withHost(url, host) });
  const about = { check: 'Citus node', ok: true };
  try {
    await identifyNode(coordinator, node, CITUS_LAYOUT);
    return { ...about, found: `${describeHost(host)} can store uploads` };
  } catch (error) {
    const found = `${describeHost(host)}: ${describeCause(error)}`;
    return { ...about, isWarning: true, found, fix: 'Correct TRIBUTARY_CITUS_NODES, or the node (docs/scaling.md).' };
  } finally {
    await node.close();
  }
}

function checkPort({ host, port }: Config): Promise<Finding> {
  const { promise, resolve } = Promise.withResolvers<Finding>();
  const probe = createServer();
  probe.once('error', async (error: NodeJS.ErrnoException) => {
    const isService = error.code === 'EADDRINUSE' && (await isServiceAt(formatBaseUrl(host, port)));
    resolve({
      check: 'port',
      ok: false,
      found: `${host}:${port} ${isService ? 'is in use by a Tributary service' : error.code}`,
      fix: isService
        ? 'If it is the service of this data folder, it is starting or replacing its first process: read its log, and run this command again in a minute. Otherwise set PORT to another port.'
        : 'Stop the program that uses it, or set PORT to another port.',
    });
  });
  probe.listen(port, host, () =>
    probe.close(() => resolve({ check: 'port', ok: true, found: `${host}:${port} is free` })),
  );
  return promise;
}
