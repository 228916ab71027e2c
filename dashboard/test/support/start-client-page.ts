// A page on its own origin that loads the built @tributary/client as browsers load modules, without a bundler.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

type ClientPage = { readonly origin: string; stop(): Promise<void> };

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PAGE = `<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "@tributary/client": "/client/index.js" } }</script>
<script type="module">globalThis.library = await import('@tributary/client');</script>`;

export async function startClientPage(): Promise<ClientPage> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tributary-client-'));
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, ['-p', 'sdk/client/tsconfig.build.json', '--outDir', folder], { cwd: ROOT });
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    const file = await readFile(path.join(folder, pathname.replace('/client/', ''))).catch(() => null);
    response.writeHead(file === null ? 404 : 200, { 'content-type': 'text/javascript' }).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
