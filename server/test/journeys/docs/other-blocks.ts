// Every code block that no script of page-runs.ts runs and that is not a list of npm commands: what checks it instead, or why
// nothing can. A new block fails the test until it is run or listed here; an entry without a block fails it too.
import type { CheckName } from './checks.ts';

type Verdict =
  | { readonly check: CheckName }
  /** Another test runs it. */
  | { readonly test: string }
  | { readonly reason: string };

const DIAGRAM: Verdict = { reason: 'a diagram, not code' };
const FORMULA: Verdict = { reason: 'a formula, not code' };
const NEEDS_CONTAINERS: Verdict = {
  reason: 'needs Docker; npm run test:docker executes it with the images of other projects replaced by stand-ins',
};
const NEEDS_CLUSTER: Verdict = { reason: 'needs Kubernetes; npm run test:kubernetes executes it on a running cluster' };
const NEEDS_ROOT: Verdict = { reason: 'changes the machine as root; npm run test:systemd executes it in a container' };
const POINT_IN_TIME: Verdict = { test: 'server/test/faults/point-in-time.test.ts' };
const NEEDS_REGISTRY: Verdict = { reason: 'needs a package registry' };
const PYTHON: Verdict = { test: 'sdk/python/test/test_client.py' };
const CLIENT: Verdict = { test: 'sdk/client/test/readme.long.db.test.ts' };
const BACKUP: Verdict = { test: 'server/test/faults/backup.test.ts' };
const BUNDLE: Verdict = { check: 'bundleLine' };

/** By page, then by the first line of the block. `LANGUAGE *`: all blocks of that language. */
export const OTHER_BLOCKS: Readonly<Record<string, Readonly<Record<string, Verdict>>>> = {
  'ARCHITECTURE.md': { 'flowchart LR': DIAGRAM, 'server/': DIAGRAM, 'main, cli, compose': DIAGRAM },
  'CONTRIBUTING.md': { 'mkdir -p ../lock/server': NEEDS_REGISTRY },
  'README.md': {
    'npm ci && npm start': { test: 'server/test/install/install.test.ts' },
    '{"error":"invalid_body",': { check: 'errorSample' },
    'phone upload, provider cloud': DIAGRAM,
    'DATABASE_URL=postgresql://… TRIBUTARY_MASTER_KEY=… \\': { test: 'server/test/journeys/two-processes.test.ts' },
  },
  'SECURITY.md': {
    'X-Forwarded-For: 8.8.8.8, 203.0.113.7, 10.0.0.5': { test: 'server/test/api/trusted-proxies.test.ts' },
    'map $uri $logged_uri {': { check: 'nginxFile' },
    '{': { check: 'caddyFile' },
  },
  'docs/assistants.md': { '{': { check: 'json' } },
  'docs/backup.md': {
    'mkdir -m 700 new-data': { test: 'server/test/faults/online-backup.test.ts' },
    'wal_level = replica': { check: 'postgresSettings' },
    "restore_command = 'cp /mnt/wal/%f %p'": { check: 'postgresSettings' },
    'pg_basebackup --pgdata=/mnt/base/$(date +%F) \\': POINT_IN_TIME,
    'touch "$PGDATA/recovery.signal"': POINT_IN_TIME,
    'install -d -m 700 -o tributary -g tributary \\': NEEDS_ROOT,
    'helm get values tributary --output yaml > values.yaml': NEEDS_CLUSTER,
    'pg_dump --format=custom --file=tributary.dump \\': BACKUP,
    'pg_restore --exit-on-error --single-transaction \\': BACKUP,
    'cp -a data backup': BACKUP,
    'cp -a "$(sed \'s/.*"home":"\\([^"]*\\)".*/\\1/\' \\': BACKUP,
    'cp -a backup data': BACKUP,
    'tributary move \\': { test: 'server/test/faults/move.test.ts' },
  },
  'docs/bundle.md': { 'json *': BUNDLE },
  'docs/clients.md': {
    "import { Tributary } from '@tributary/client';": { check: 'javascript' },
    'import os': { check: 'python' },
    "import { writeFile } from 'node:fs/promises';": { check: 'exportInJavascript' },
    'import shutil': { check: 'exportInPython' },
  },
  'docs/connections.md': {
    'your backend          Tributary              browser       provider': DIAGRAM,
    '{"type": "tributary.connect", "status": "failed",': { test: 'dashboard/test/connect-button.browser.ts' },
    'Oura, account acme, live: as ABC': { test: 'server/test/api/provider-setup.test.ts' },
  },
  'docs/decisions/0008-sample-blocks.md': {
    '-- Order of columns: 8 bytes, then 4, then 2, then the bytes, so that no space is lost to alignment.': {
      check: 'sql',
    },
  },
  'docs/decisions/0009-month-sheets.md': { 'byte      version (1)': DIAGRAM },
  'docs/deployment.md': {
    'mkdir tributary && cd tributary': { test: 'server/test/install/package.test.ts' },
    'mkdir -p /opt/tributary': NEEDS_REGISTRY,
    'docker build -f deploy/Dockerfile -t tributary .': NEEDS_CONTAINERS,
    'docker compose -f deploy/compose.yaml --env-file .env \\': NEEDS_CONTAINERS,
    'docker compose -f deploy/compose.scaled.yaml \\': NEEDS_CONTAINERS,
    'helm install tributary deploy/helm/tributary \\': NEEDS_CLUSTER,
    'useradd --system --home-dir /var/lib/tributary \\': NEEDS_ROOT,
    'systemctl enable --now tributary': NEEDS_ROOT,
    'systemctl enable --now tributary-api@8080 \\': NEEDS_ROOT,
    '[Service]': { check: 'caddyVariables' },
    'systemctl restart caddy': NEEDS_ROOT,
    'nginx -t && systemctl reload nginx': NEEDS_ROOT,
  },
  'docs/errors.md': { '{"error":"invalid_body",': { check: 'errorSample' } },
  'docs/exports.md': { 'js *': { check: 'exportInJavascript' }, 'python *': { check: 'exportInPython' } },
  'docs/glucose.md': { 'json *': { check: 'uploadedSample' } },
  'docs/imports.md': { 'csv *': { check: 'csv' }, 'json *': { check: 'csvMapping' } },
  'docs/mobile-protocol.md': {
    'http *': { check: 'phoneRequest' },
    'json *': { check: 'sessionAnswer' },
    'node sdk/conformance/src/run.ts -- COMMAND [ARGUMENT…]': { test: 'sdk/mobile/test/conformance.long.test.ts' },
  },
  'docs/mobile.md': { 'ts *': { check: 'mobileApp' } },
  'docs/observability.md': {
    'scrape_configs:': { check: 'prometheus' },
    'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318': { check: 'settings' },
  },
  'docs/operations.md': {
    'tributary serve --only api': { test: 'server/test/journeys/two-processes.test.ts' },
    "create role tributary_owner login password '…';": { test: 'server/test/api/database-roles.test.ts' },
    'DATABASE_URL=postgres://tributary_service:…@db/tributary': { check: 'settings' },
  },
  'docs/postgresql.md': {
    'DATABASE_URL=postgres://tributary_service:…@db/tributary': { check: 'settings' },
    'max_connections >= (API processes + 1) × (reads + writes)': FORMULA,
    'DATABASE_URL=postgres://tributary_service:…@db1:5432,db2:5432/tributary?target_session_attrs=read-write': {
      check: 'settings',
    },
  },
  'docs/processes.md': {
    'tributary serve --processes auto': { test: 'server/test/faults/processes.test.ts' },
    'kill -HUP PID': {
      test: 'server/test/faults/rolling-restart.test.ts',
    },
    '[Service]': { test: 'server/test/deploy/deploy-files.long.test.ts' },
  },
  'docs/re-exports.md': { '"copy_of": null,': { check: 'workoutSample' } },
  'docs/restrictions.md': { 'TRIBUTARY_UNCONFIRMED_PARTS=coros.daily,ultrahuman.hrv_rmssd': { check: 'settings' } },
  'docs/roster.md': {
    "TRIBUTARY_SMTP_URL='smtps://user:password@mail.example.org?from=roster@example.org'": { check: 'settings' },
    "TRIBUTARY_SMTP_URL='smtp://127.0.0.1:1025?starttls=never'": { check: 'settings' },
  },
  'docs/routes.md': { 'http *': { check: 'workoutRequest' } },
  'docs/scaling.md': {
    'npx tributary migrate --distribute': { reason: 'needs a cluster with Citus' },
    'select citus_split_shard_by_split_points(': { reason: 'needs a cluster with Citus' },
  },
  'docs/scores.md': {
    'contribution = (100 − N) · up / sum of up · effect       effect above 0': FORMULA,
    'strain = 100 · ln(1 + min(load, 600) / 20) / ln(1 + 600 / 20)': FORMULA,
    'value = wake-up level · (1 − sum of drains)': FORMULA,
  },
  'docs/simulator.md': {
    'https://cloud.ouraring.com/oauth/authorize': { reason: 'addresses before and after, not commands' },
  },
  'docs/quickstart-web.md': { 'js *': { check: 'browserRead' } },
  'docs/webhooks.md': {
    'js *': { check: 'signatureInNode' },
    'python *': { check: 'signatureInPython' },
    'go *': { check: 'signatureInGo' },
  },
  'examples/web/README.md': {
    'TRIBUTARY_API_KEY=sk_sandbox_… npm --prefix examples/web start': {
      test: 'sdk/client/test/example-web.long.db.test.ts',
    },
  },
  'examples/expo/README.md': {
    'TRIBUTARY_API_KEY=sk_sandbox_… node examples/expo/start-backend.mjs': {
      test: 'sdk/mobile/test/example-expo.long.db.test.ts',
    },
    'npm pack --workspace @tributary/mobile --ignore-scripts=false': NEEDS_REGISTRY,
  },
  'sdk/client/README.md': {
    'js *': CLIENT,
    'npm pack --workspace @tributary/client --ignore-scripts=false': {
      test: 'server/test/install/client-runtimes.test.ts',
    },
  },
  'sdk/mobile/README.md': { 'npm pack --workspace @tributary/mobile --ignore-scripts=false': NEEDS_REGISTRY },
  'sdk/connect/README.md': {
    'npm pack --workspace @tributary/connect --ignore-scripts=false': NEEDS_REGISTRY,
    '// Your backend: POST /api/connect-link': { check: 'connectLink' },
    '<button id="connect">Connect a device</button>': { check: 'connectPage' },
    "import { ConnectButton } from '@tributary/connect/react';": { check: 'connectComponent' },
  },
  'sdk/python/README.md': { 'python *': PYTHON, 'pip install ./sdk/python': NEEDS_REGISTRY },
};
