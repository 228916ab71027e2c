// Builds the two libraries of this repository and starts the app. With the published packages, server.js is all you need.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
for (const name of ['client', 'connect']) {
  const args = ['node_modules/typescript/bin/tsc', '-p', `sdk/${name}/tsconfig.build.json`];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
await import('./server.js');
