// Runs .ci/run with a fake npm and checks the summary line of each stage.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

const CI_RUN = resolve(import.meta.dirname, '../../.ci/run');

/** `npm run test:install` prints the given report; every other npm command succeeds. */
function runCi(t: TestContext, install: { readonly report: string; readonly code: number }) {
  return runWithNpm(t, `[ "$2" = test:install ] || exit 0\nprintf '${install.report}'\nexit ${install.code}`);
}

function runWithNpm(t: TestContext, npm: string, environment: Readonly<Record<string, string>> = {}) {
  const programs = mkdtempSync(join(tmpdir(), 'tributary-ci-'));
  t.after(() => rmSync(programs, { recursive: true }));
  const write = (name: string, text: string) => writeFileSync(join(programs, name), text, { mode: 0o755 });
  write('npm', `#!/bin/sh\n${npm}\n`);
  write('id', '#!/bin/sh\necho 1000\n'); // not root: installs nothing
  const env = {
    ...process.env,
    CHROMIUM: process.execPath,
    CITUS_BIN: '',
    CITUS_URL: '',
    ...environment,
    PATH: `${programs}${delimiter}${process.env.PATH}`,
  };
  const { status, stdout } = spawnSync(CI_RUN, { env, encoding: 'utf8' });
  return { status, stdout, summary: stdout.trimEnd().split('\n').at(-1) ?? '' };
}

describe('.ci/run', { skip: process.platform === 'win32' ? 'a bash script' : false }, () => {
  it('reports the installation test as skipped when every case was skipped', (t) => {
    const { status, summary } = runCi(t, { report: 'ℹ tests 5\\nℹ pass 0\\nℹ fail 0\\nℹ skipped 5\\n', code: 0 });
    assert.match(summary, /passed, .*; SKIPPED npm run test:install \(\d+ s\)$/);
    assert.equal(status, 0);
  });

  it('reports the installation test as passed when a case ran', (t) => {
    const { status, summary } = runCi(t, { report: 'ℹ tests 5\\nℹ pass 5\\nℹ fail 0\\nℹ skipped 0\\n', code: 0 });
    assert.match(summary, /passed, .*; ok npm run test:install \(\d+ s\)$/);
    assert.equal(status, 0);
  });

  it('reports a failure of the installation test even if no case passed', (t) => {
    const { status, summary } = runCi(t, { report: 'ℹ tests 5\\nℹ pass 0\\nℹ fail 5\\nℹ skipped 0\\n', code: 1 });
    assert.match(summary, /FAILED, .*; FAILED npm run test:install \(\d+ s\)$/);
    assert.equal(status, 1);
  });

  const failing = `printf '✖ failing tests:\\n\\ntest at server/a.test.ts:1:1\\ntest at ../run/group-001.mjs:2:7\\n✖ server/b.test.ts (7ms)\\n'; exit 1`;

  it('runs the files of failing tests once more, and reports it as unstable if it passes then', (t) => {
    const again = `case "$*" in *' --long '*) [ "$*" = 'test -- --long server/a.test.ts server/b.test.ts' ];; esac`;
    const { status, summary } = runWithNpm(t, `[ "$*" != 'test -- --long' ] || { ${failing}; }\n${again}`);
    assert.match(summary, /passed, .*; UNSTABLE npm test -- --long \(\d+ s\);/);
    assert.equal(status, 0);
  });

  it('fails if the test fails again', (t) => {
    const { status, summary } = runWithNpm(t, `[ "$3" != --long ] || { ${failing}; }`);
    assert.match(summary, /FAILED, .*; FAILED npm test -- --long \(\d+ s\);/);
    assert.equal(status, 1);
  });

  it('runs the file of a failing browser test once more', (t) => {
    const { status, summary } = runWithNpm(
      t,
      `[ "$*" != 'run test:browser -- first-call consolidation home budgets docs' ] || { ${failing}; }`,
    );
    assert.match(summary, /passed, .*; UNSTABLE npm run test:browser \(\d+ s\);/);
    assert.equal(status, 0);
  });

  it('reports the browser tests as skipped without Chromium', (t) => {
    const { status, summary } = runWithNpm(t, 'exit 0', { CHROMIUM: '/absent' });
    assert.match(summary, /passed, .*; SKIPPED npm run test:browser;/);
    assert.equal(status, 0);
  });

  it('runs the database and API tests on the server of CITUS_URL', (t) => {
    const url = 'postgresql://citus@127.0.0.1/postgres';
    const npm = `case "$TEST_POSTGRES $*" in
      'citus:${url} test -- --only-db --long' | 'citus:${url} test -- server/test/api '*) ;; citus*) exit 1;; esac`;
    const { status, summary } = runWithNpm(t, npm, { CITUS_URL: url });
    assert.match(
      summary,
      /passed, .*; ok database tests on Citus \(\d+ s\); ok API tests and kills on Citus \(\d+ s\);/,
    );
    assert.equal(status, 0);
  });

  it('lists why tests were skipped', (t) => {
    const skipped = '  ﹣ is rendered (0.1ms) # Helm is not installed\\n﹣ has shards (0.2ms) # SKIP\\n';
    const { status, stdout } = runWithNpm(t, `[ "$*" != 'test -- --long' ] || printf '${skipped}${skipped}'`);
    assert.match(stdout, /=== skipped tests\n +2 Helm is not installed\n\n/);
    assert.equal(status, 0);
  });

  it('reports the tests on Citus as skipped without a Citus', (t) => {
    const { summary } = runWithNpm(t, 'exit 0');
    assert.match(summary, /passed, .*; SKIPPED database tests on Citus; SKIPPED API tests and kills on Citus;/);
  });
});
