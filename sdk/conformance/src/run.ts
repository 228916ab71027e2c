// node sdk/conformance/src/run.ts [--only NAME] -- COMMAND [ARGUMENT…]
// Holds the program that the command starts against every vector, and ends with 1 if it fails one.
import { playVector } from './play-vector.ts';
import { readVectors } from './read-vectors.ts';

const args = process.argv.slice(2);
const split = args.indexOf('--');
const command = split < 0 ? [] : args.slice(split + 1);
const only = args[args.indexOf('--only') + 1];

if (command.length === 0) {
  process.stderr.write('usage: node sdk/conformance/src/run.ts [--only NAME] -- COMMAND [ARGUMENT…]\n');
  process.exitCode = 2;
} else {
  const vectors = readVectors().filter(({ name }) => !args.includes('--only') || name === only);
  for (const vector of vectors) {
    try {
      await playVector(vector, command);
      process.stdout.write(`pass  ${vector.name}\n`);
    } catch (error) {
      process.exitCode = 1;
      process.stdout.write(`FAIL  ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
}
