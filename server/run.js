// `node server/run.js server/test/run.ts …`: runs a program of the repository on the project's Node (launch.js).
import Module from 'module';
import { resolve } from 'path';
import { launch } from './launch.js';

launch(() => {
  process.argv.splice(1, 2, resolve(process.argv[2] || ''));
  Module.runMain(); // as the main program, as if it had been named on the command line itself
});
