// Blocks with nothing but npm commands of this repository. Running them would be a build; their scripts, benchmarks and files are checked.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT, readText } from './pages.ts';
import type { Block } from './read-blocks.ts';

const OF_NPM_ITSELF = ['ci', 'install'];

export function isNpmBlock({ language, code }: Block): boolean {
  return (language === 'sh' || language === '') && commandsOf(code).every(isNpmCommand);
}

export function checkNpmBlock({ code }: Block): void {
  for (const command of commandsOf(code)) checkCommand(command);
}

function commandsOf(code: string): string[] {
  return code
    .replaceAll(/\\\n\s*/g, '')
    .split(/\n|&&/)
    .map((line) => line.replace(/\s+#.*/, '').trim())
    .filter((line) => line !== '');
}

function isNpmCommand(command: string): boolean {
  return /^(?:[A-Z_]+=\S+ )*npm (?:ci|start|test|run (?!-s tributary))/.test(command);
}

function checkCommand(command: string): void {
  const words = command.replace(/^(?:[A-Z_]+=\S+ )*npm (?:run )?/, '').split(/\s+/);
  const [script = ''] = words;
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  assert.ok(script in scripts || OF_NPM_ITSELF.includes(script), `package.json has no script ${script}`);
  for (const word of words.filter((one) => one.includes('/')))
    assert.ok(existsSync(path.join(ROOT, word)), `${word} does not exist`);
  const bench = words[words.indexOf('--') + 1] ?? '';
  if (script === 'bench')
    assert.ok(new RegExp(`^  '?${bench}'?: \\{`, 'm').test(readText('server/bench/run.ts')), `no benchmark ${bench}`);
}
