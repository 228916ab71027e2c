// npm packages cannot contain symbolic links, so the PostgreSQL package lists those of its libraries in pg-symlinks.json. They
// are created here instead of in an install script. Several processes can do this at the same time.

import { randomUUID } from 'node:crypto';
import { readFile, rename, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { readErrorCode } from './embedded-postgres-error.ts';

type Link = { readonly source: string; readonly target: string };

/** Paths in the list begin with "native/", so they are relative to the parent folder. */
export async function hydrateLibraryLinks(nativeDir: string): Promise<void> {
  for (const link of await listMissingLinks(nativeDir)) {
    const path = join(dirname(nativeDir), link.target);
    const destination = relative(dirname(link.target), link.source);
    try {
      await symlink(destination, path);
    } catch (error) {
      if (readErrorCode(error) !== 'EEXIST') throw error;
      if (!(await exists(path))) await replaceLink(destination, path);
    }
  }
}

export async function listMissingLinks(nativeDir: string): Promise<Link[]> {
  const links = await readLinks(nativeDir);
  const present = await Promise.all(links.map((link) => exists(join(dirname(nativeDir), link.target))));
  return links.filter((_, index) => !present[index]);
}

async function readLinks(nativeDir: string): Promise<Link[]> {
  const text = await readFile(join(nativeDir, 'pg-symlinks.json'), 'utf8').catch((error: unknown) => {
    if (readErrorCode(error) === 'ENOENT') return '[]';
    throw error;
  });
  const list: unknown = JSON.parse(text);
  return Array.isArray(list) ? list.filter(isLink) : [];
}

function isLink(value: unknown): value is Link {
  if (typeof value !== 'object' || value === null || !('source' in value) || !('target' in value)) return false;
  return typeof value.source === 'string' && typeof value.target === 'string';
}

/** Replaces a broken link by a rename, so that the path always exists. */
async function replaceLink(destination: string, path: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  await symlink(destination, temporary);
  await rename(temporary, path);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
