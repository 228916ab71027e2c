// A web app with the connect button, on its own origin.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'vite';

type WebApp = {
  readonly origin: string;
  /** The same server under another name, which is another origin for a browser. */
  readonly otherOrigin: string;
  stop(): Promise<void>;
};

const ENTRY = path.resolve(import.meta.dirname, '../../../sdk/connect/test/page.ts');

const PAGE = `<!doctype html><html lang="en"><title>App</title>
<button id="plain">Connect</button><div id="react"></div><output></output><script type="module" src="/page.js"></script>`;

/** What a page of somebody else might send. */
const FORGERY = `<!doctype html><title>Other</title><script>
parent.postMessage({ type: 'tributary.connect', status: 'active', device_id: 'forged', failure_reason: null }, '*');</script>`;

/** `createLink`: what the app's backend does; null fails. */
export async function startWebApp(createLink: (redirectUrl: string) => Promise<string | null>): Promise<WebApp> {
  const script = await bundle();
  const server = createServer(async (request, response) => {
    const [address] = (request.url ?? '').split('?');
    if (address === '/link') {
      const link = await createLink(`${origin()}/connected`);
      response.writeHead(link === null ? 500 : 200).end(link ?? '');
    } else if (address === '/page.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else response.writeHead(200, { 'content-type': 'text/html' }).end(address === '/forgery' ? FORGERY : PAGE);
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: origin(),
    otherOrigin: origin().replace('127.0.0.1', 'localhost'),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, minify: false, lib: { entry: ENTRY, formats: ['es'], fileName: 'page' } },
  });
  const [first] = Array.isArray(built) ? built : [built];
  if (first === undefined || !('output' in first)) throw new Error('the page was not built');
  return first.output[0].code;
}
