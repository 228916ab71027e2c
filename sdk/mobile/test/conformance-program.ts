// @tributary/mobile as a program under test (docs/mobile-protocol.md). Its storage is a folder with a file per key.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createMobileClient, type MobileClient, QueueFullError, type Storage } from '../src/index.ts';
import type { Changes } from '../src/upload.ts';

type Command =
  | {
      readonly do: 'open';
      readonly base_url: string;
      readonly storage_folder: string;
      readonly max_items?: number;
      readonly max_queue_bytes?: number;
    }
  | { readonly do: 'enqueue'; readonly changes: Changes }
  | { readonly do: 'flush' };

flushCompileCache(); // for the next one: every vector ends with a kill
let client: MobileClient | null = null;

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await carryOut(JSON.parse(line) as Command);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

async function carryOut(command: Command): Promise<object> {
  if (command.do === 'open') {
    client = open(command);
    return { ok: true };
  }
  if (client === null) return { ok: false };
  if (command.do === 'enqueue') {
    try {
      await client.enqueue(command.changes);
      return { ok: true };
    } catch (error) {
      if (error instanceof QueueFullError) return { ok: false, error: error.code };
      throw error;
    }
  }
  const { pending, stopped } = await client.flush();
  const parked = (await client.listParked()).reduce((sum, { items }) => sum + items.length, 0);
  return { ok: true, pending, parked, stopped };
}

function open(command: Extract<Command, { do: 'open' }>) {
  const { base_url: baseUrl, storage_folder: folder, max_items: maxItems, max_queue_bytes: maxQueueBytes } = command;
  return createMobileClient({
    baseUrl,
    storage: folderStorage(folder),
    platform: 'ios',
    automatic: null,
    retry: { baseMs: 5, attempts: 5 },
    ...(maxItems !== undefined && { limits: { maxItems } }),
    ...(maxQueueBytes !== undefined && { maxQueueBytes }),
    async getToken() {
      const answer = await fetch(`${baseUrl}/conformance/token`, { method: 'POST' });
      return ((await answer.json()) as { token: string | null }).token;
    },
  });
}

function folderStorage(folder: string): Storage {
  const fileOf = (key: string) => join(folder, encodeURIComponent(key));
  return {
    get: (key) => readFile(fileOf(key), 'utf8').catch(() => null),
    async set(key, value) {
      await mkdir(folder, { recursive: true });
      await writeFile(`${fileOf(key)}.new`, value);
      await rename(`${fileOf(key)}.new`, fileOf(key));
    },
    delete: (key) => rm(fileOf(key), { force: true }),
    async keys(prefix) {
      const files = await readdir(folder).catch(() => []);
      return files
        .filter((file) => !file.endsWith('.new'))
        .map(decodeURIComponent)
        .filter((key) => key.startsWith(prefix));
    },
  };
}
