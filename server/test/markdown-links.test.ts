// Every link of the Markdown files to another file of the repository, or to a part of one, leads there.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { slugOf } from '../src/features/operator/docs-site/render-markdown.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILES = ['*.md', 'docs/**/*.md', 'sdk/*/*.md', 'examples/*/*.md', 'deploy/**/*.md'];

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/^ *```.*?^ *```$/gms, '');

const anchors = new Map<string, Set<string>>();

function anchorsOf(file: string): Set<string> {
  const known = anchors.get(file) ?? findAnchors(read(file));
  anchors.set(file, known);
  return known;
}

function findAnchors(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
    slugOf(title.replaceAll(/\]\([^)]*\)/g, ']')),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([\w-]+)">/g)].map(([, id = '']) => id)]);
}

function findBrokenLinks(file: string): string[] {
  const text = read(file);
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [name = '', part] = target.split('#');
    const linked = name === '' ? file : path.join(path.dirname(file), name);
    if (!existsSync(path.join(ROOT, linked))) return true;
    return part !== undefined && linked.endsWith('.md') && !anchorsOf(linked).has(part);
  });
}

it('no Markdown file has a broken link', () => {
  const files = globSync(FILES, { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
  assert.ok(files.length > 60);
  const broken = files.flatMap((file) => findBrokenLinks(file).map((target) => `${file}: ${target}`));
  assert.deepEqual(broken, []);
});
