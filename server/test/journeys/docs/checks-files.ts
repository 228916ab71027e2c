// Blocks that are parts of files: settings, proxies, databases, bundles.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { loadConfig } from '../../../src/config.ts';
import { parseLine } from '../../../src/features/intake/imports/bundle/parse-line.ts';
import { SETTINGS } from '../../../src/settings.ts';
import type { Check } from './check-context.ts';
import { readText } from './pages.ts';

/** It has no types. */
const { load }: { load(text: string): unknown } = createRequire(import.meta.url)('js-yaml');

export const FILE_CHECKS = {
  json: ({ code }) => void JSON.parse(code),
  nginxFile: ({ code }) => assertLinesOf('deploy/nginx/tributary.conf', code),
  caddyFile: ({ code }) => assertLinesOf('deploy/caddy/Caddyfile', code),
  caddyVariables: ({ code }) => {
    const names = [...code.matchAll(/Environment="?(\w+)=/g)].map(([, name = '']) => name);
    assert.ok(names.length > 0);
    for (const name of names) assert.match(readText('deploy/caddy/Caddyfile'), new RegExp(`\\{\\$${name}\\b`));
  },
  settings: ({ code }) => {
    const known: string[] = Object.values(SETTINGS).map(({ variable }) => variable);
    const given = [...code.matchAll(/^(\w+)='?(.*?)'?$/gm)].map(([, name = '', value = '']) => [name, value] as const);
    assert.equal(given.length, code.trim().split('\n').length, 'every line is a setting');
    for (const [name] of given) assert.ok(known.includes(name), `${name} is not a setting`);
    loadConfig(Object.fromEntries(given.map(([name, value]) => [name, value.replaceAll('…', 'x')])));
  },
  postgresSettings: async ({ code }, { service }) => {
    const names = [...code.matchAll(/^(\w+) = /gm)].map(([, name = '']) => name);
    const { db } = service.running.services;
    const found = await db.query<{ name: string }>('select name from pg_settings where name = any($1)', [names]);
    assert.deepEqual(found.map(({ name }) => name).sort(), names.sort());
  },
  sql: async ({ code }, { service }) => {
    const { db } = service.running.services;
    await db.query(`do $outer$ begin
      ${code.replace('create table', 'create temporary table').replaceAll(/--.*$/gm, '')}
      end $outer$`);
  },
  prometheus: ({ code }) => {
    const file = load(code) as { scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[] };
    assert.deepEqual(file.scrape_configs[0]?.static_configs[0]?.targets, ['127.0.0.1:8080']);
  },
  bundleLine: ({ code }) => {
    for (const line of code.trim().split('\n')) parseLine(JSON.parse(line));
  },
} satisfies Record<string, Check>;

function assertLinesOf(file: string, code: string): void {
  const lines = readText(file)
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '));
  for (const line of code.trim().split('\n'))
    assert.ok(lines.includes(line.trim().replaceAll(/\s+/g, ' ')), `not in ${file}: ${line}`);
}
