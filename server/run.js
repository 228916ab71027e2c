// Runs a program of the repository on the project's Node (launch.js): `node server/run.js server/test/run.ts …`.
import Module from 'module';
import { resolve } from 'path';
import { launch } from './launch.js';

launch(() => {
  process.argv.splice(1, 2, resolve(process.argv[2] || ''));
  Module.runMain(); // so that it is the main module
});
