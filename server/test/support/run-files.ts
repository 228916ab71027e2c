// Runs several test files in this process, one after the other, each as a test with the name of the file.
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

type TestFiles = { readonly root: string; readonly files: readonly string[]; readonly timeoutMs: number };

export async function runFiles({ root, files, timeoutMs }: TestFiles): Promise<void> {
  for (const file of files) {
    const { href } = pathToFileURL(path.join(root, file));
    await test(file, { timeout: timeoutMs }, async () => void (await import(href)));
  }
}
