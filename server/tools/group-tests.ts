// Test files that share a process. Loading the program takes longer than most files, and a process loads it once.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { needsDatabase } from './find-tests.ts';

/** Enough to save most of the loading. Groups of pure files run last, so that both cores have work until the end. */
export const MOST_FILES_PER_GROUP = 16;
/** A run of few files still keeps both cores busy. */
const LEAST_GROUPS = 6;
/** Node does not wait for such a hook in a file that a test imports. */
const HOOK_BEFORE_ALL_TESTS = /^before\(/m;
/** Tests of faults, journeys and deployments that start processes: they kill them, fill disks, and wait for several services at once. */
const MAY_HARM = /^server\/test\/(faults|journeys|deploy)\//;
const STARTS_PROCESSES =
  /from '(node:child_process|.*(-process|\/backup-subject|\/citus-cluster|\/command-bridge|\/replicated-postgres|embedded-postgres\/.*)\.ts)'/;

/** Takes the text of a test file. */
export function startsProcesses(text: string): boolean {
  return STARTS_PROCESSES.test(text);
}

/** Where to write programs, and the time limit of a file. */
type Groups = { readonly folder: string; readonly timeoutMs: number };

/**
 * Writes a program per group, which runs each file as a test with its name. Returns the programs, and the files that need a
 * process of their own.
 */
export async function groupTests(root: string, files: readonly string[], given: Groups): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => readFile(path.join(root, file), 'utf8')));
  const areAlone = files.map((file, index) => {
    const text = texts[index] ?? '';
    return HOOK_BEFORE_ALL_TESTS.test(text) || (MAY_HARM.test(file) && startsProcesses(text));
  });
  const shared = files.filter((_, index) => !areAlone[index]);
  const slow = shared.filter(needsDatabase);
  const size = Math.min(MOST_FILES_PER_GROUP, Math.ceil(shared.length / LEAST_GROUPS));
  const groups = [
    ...chunk(slow, size),
    ...chunk(
      shared.filter((file) => !needsDatabase(file)),
      size,
    ),
  ];
  const programs = await Promise.all(groups.map((group, index) => writeGroup(root, group, index, given)));
  return [...files.filter((_, index) => areAlone[index]), ...programs];
}

/** Neighbours load mostly the same files. */
function chunk(files: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(files.length / size) }, (_, index) =>
    files.slice(index * size, (index + 1) * size),
  );
}

async function writeGroup(
  root: string,
  files: readonly string[],
  index: number,
  { folder, timeoutMs }: Groups,
): Promise<string> {
  const [only] = files;
  if (files.length === 1 && only !== undefined) return only;
  const program = path.join(folder, `group-${String(index + 1).padStart(3, '0')}.mjs`); // `node --test` sorts them
  const tests = files.map((file) => {
    const { href } = pathToFileURL(path.join(root, file));
    return `await test(${JSON.stringify(file)}, { timeout: ${timeoutMs} }, () => import(${JSON.stringify(href)}));`;
  });
  await writeFile(program, ["import { test } from 'node:test';", ...tests, ''].join('\n'));
  return program;
}
