import assert from 'node:assert/strict';
import { chmod, chown, cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openHarness, query } from '../../../test/support/embedded-postgres-harness.ts';
import { chooseAccount } from './account.ts';
import { initializeCluster } from './initialize-cluster.ts';
import { locateBinaries } from './locate-binaries.ts';

/** Whatever has a meaning in a shell, a format string, a setting of PostgreSQL or a URL. */
const ODD_NAME =
  'quote" back\\slash per%s$HOME `touch marker` $(touch marker) apo\'strophe,comma ümläut#?&;*\nnew line';

describe('a path with characters of the shell', () => {
  it('works as the data folder', async (t) => {
    const harness = await openHarness(t);
    const dataDir = join(harness.root, ODD_NAME);
    await mkdir(dataDir);
    await chmod(dataDir, 0o711);
    const postgres = await harness.start(dataDir);
    assert.deepEqual(await query(postgres.connection, 'select 1'), [[1]]);
    await postgres.stop();
    const again = await harness.start(dataDir);
    assert.deepEqual(await query(again.connection, 'select 1'), [[1]]);
  });

  it('works as the folder of the programs, and is not executed by a shell', async (t) => {
    const { root } = await openHarness(t);
    const account = await chooseAccount(null);
    const home = join(root, 'home');
    await mkdir(home);
    if (account) await chown(home, account.uid, account.gid);
    const nativeDir = join(root, ODD_NAME, 'native');
    await cp((await locateBinaries()).nativeDir, nativeDir, { recursive: true, verbatimSymlinks: true });
    await initializeCluster(nativeDir, join(home, 'cluster'), account);
    assert.match(await readFile(join(home, 'cluster/PG_VERSION'), 'utf8'), /^18/);
    for (const folder of [root, home, '/', join(root, ODD_NAME)])
      assert.ok(!(await readdir(folder)).includes('marker'), `a command was run in ${folder}`);
  });
});
