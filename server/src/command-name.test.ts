import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nameCommand } from './command-name.ts';

describe('nameCommand', () => {
  it('is npm in a clone, npx in a folder with the package, and else the plain name', () => {
    const names = {
      '/srv/clone/server/src/command-name.ts': 'npm run -s tributary --',
      '/srv/health/node_modules/tributary/server/src/command-name.js': 'npx tributary',
      '/usr/lib/node_modules/tributary/server/src/command-name.js': 'tributary',
      'C:\\Users\\me\\AppData\\Roaming\\npm\\node_modules\\tributary\\server\\src\\command-name.js': 'tributary',
      'C:\\health\\node_modules\\tributary\\server\\src\\command-name.js': 'npx tributary',
      '/opt/tributary/server/src/command-name.js': 'tributary',
    };
    for (const [file, name] of Object.entries(names)) assert.equal(nameCommand(file), name, file);
  });
});
