// Builds the two libraries of this repository and starts the backend. With the published packages, backend.mjs is all you need.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
for (const name of ['client', 'mobile']) {
  const args = ['node_modules/typescript/bin/tsc', '-p', `sdk/${name}/tsconfig.build.json`];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
await import('./backend.mjs');
