// How the shell blocks of each guide run: what the reader has done before, and what stands for the placeholders of the text.

type PageSetup = { readonly before?: string; readonly replace?: Readonly<Record<string, string>> };

const NEW_KEY = `$(tributary keys create --environment live --json | sed -n 's/.*"id": *"\\([^"]*\\)".*/\\1/p')`;
const RECEIVER = { 'http://127.0.0.1:3000/hook': '$RECEIVER_URL' };
const USER = { '--user ID': '--user $USER_ID' };

/** In this order: the last pages replace keys that others use. */
export const PAGE_RUNS: Readonly<Record<string, PageSetup>> = {
  'README.md': { replace: { 'http://127.0.0.1:8080': '$TRIBUTARY_URL', ...RECEIVER } },
  'docs/quickstart.md': {},
  'docs/quickstart-web.md': {},
  'docs/quickstart-ios.md': {},
  'docs/quickstart-android.md': {},
  'docs/quickstart-coach.md': {},
  'docs/forms.md': {},
  'docs/webhooks.md': { replace: { 'https://example.com/hooks/tributary': '$RECEIVER_URL' } },
  'docs/simulator.md': { replace: { 'http://127.0.0.1:8090': '$SIMULATOR_URL' } },
  'docs/sandbox.md': { replace: USER },
  'docs/connections.md': {
    before: 'echo secret > secret.txt',
    // Without it the check calls the real provider.
    replace: { 'check oura --account acme': 'check oura --account acme --environment sandbox' },
  },
  'docs/roster.md': {},
  'docs/routes.md': {},
  'docs/glucose.md': {},
  'docs/merge.md': {},
  'docs/assistants.md': { replace: { 'http://127.0.0.1:8080': '$TRIBUTARY_URL', ' --port 8099': '' } },
  'docs/exports.md': {
    replace: {
      'https://health.example.com': '$TRIBUTARY_URL',
      'sk_live_…': '$LIVE_KEY',
      'AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… AWS_REGION=eu-central-1 \\\n': '',
    },
  },
  'docs/bundle.md': {
    before:
      'command curl -sS "$TRIBUTARY_URL/v1/users/$USER_ID/export?format=bundle" -H "Authorization: Bearer $TRIBUTARY_API_KEY" > user.bundle.ndjson',
    replace: USER,
  },
  'docs/imports.md': {
    before: `mkdir apple_health_export
echo '<HealthData locale="en"><Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" startDate="2026-03-09 08:00:00 +0100" endDate="2026-03-09 08:10:00 +0100" value="640"/></HealthData>' > apple_health_export/export.xml
python3 -m zipfile -c export.zip apple_health_export/`,
    replace: USER,
  },
  'CONTRIBUTING.md': { replace: { ...USER, '2026-03-09': '$(date -u +%F)' } },
  'docs/deployment.md': {},
  'docs/audit.md': {
    replace: {
      '1234:5e0f…': '$(npm run -s tributary -- audit verify | tail -1)',
    },
  },
  'docs/backup.md': {
    before: 'mkdir backups nightly',
    replace: {
      // A second backup within the same second would have the same name.
      'backup /mnt/backups\nfind /mnt/backups': 'backup "$PWD"/nightly\nfind "$PWD"/nightly',
      '/mnt/backups/tributary-20260309T101500Z': '"$PWD"/backups/tributary-*',
      '/mnt/backups': '"$PWD"/backups',
      'old-data/': '"$DATA_FOLDER"/',
    },
  },
  'docs/sync.md': { replace: { '[--account acme]': '' } },
  'docs/operations.md': {
    before: `RENAMED=${NEW_KEY}
ROTATED=${NEW_KEY}
AGAIN=${NEW_KEY}`,
    replace: {
      ...USER,
      ...RECEIVER,
      'keys rename ID': 'keys rename $RENAMED',
      'keys revoke ID': 'keys revoke $RENAMED',
      'rotate ID --overlap 7d': 'rotate $AGAIN --overlap 7d',
      'rotate ID --overlap': 'rotate $ROTATED --overlap',
      // Refused for two minutes after the last use of the old key.
      'tributary keys rotate-master --finish': '! tributary keys rotate-master --finish',
      'NEW_MASTER_KEY=…': 'NEW_MASTER_KEY=$(openssl rand -base64 32)',
    },
  },
  'SECURITY.md': { before: `LEAKED=${NEW_KEY}`, replace: { 'revoke ID': 'revoke $LEAKED' } },
};
