// The Markdown files that a reader of the repository or of the docs site meets, with their code blocks.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Block, readBlocks } from './read-blocks.ts';

export const ROOT = path.resolve(import.meta.dirname, '../../../..');

const FILES = ['*.md', 'docs/*.md', 'docs/decisions/*.md', 'sdk/*/README.md', 'examples/*/README.md', 'deploy/**/*.md'];

type Page = { readonly file: string; readonly blocks: readonly Block[] };

export function readPages(): Page[] {
  return globSync(FILES, { cwd: ROOT })
    .sort()
    .map((file) => ({ file, blocks: readBlocks(readText(file)) }))
    .filter(({ blocks }) => blocks.length > 0);
}

export function readText(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
