// Runs the tributary command for the scripts of the guides in this process, which saves a second per command. A script sends
// arguments, environment and standard input in a request; the response has the output, and status 500 for an exit code above 0.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { runCli } from '../../../src/cli/run-cli.ts';
import type { Terminal } from '../../../src/cli/terminal.ts';
import { environmentOf } from '../../support/cli-process.ts';
import type { TestService } from '../../support/test-service.ts';

/** What a command that runs until Ctrl-C prints once it is ready. It is interrupted then. */
const IS_READY = /Press Ctrl-C to stop|MCP server on|^\{"provider":"oura"/;
/** Their default ports may be in use on this machine. */
const FREE_PORT = ['--port', '0'];

export async function startCommandBridge(service: TestService): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const query = new URL(request.url ?? '', 'http://bridge').searchParams;
    const [cwd = '.', ...variables] = query.getAll('env');
    const given = Object.fromEntries(variables.map((one) => one.split(/=(.*)/s).slice(0, 2)));
    const input = (await text(request)).trim();
    const { code, output } = await run(query.getAll('arg'), { ...environmentOf(service), ...given }, { cwd, input });
    response.writeHead(code === 0 ? 200 : 500).end(output);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() };
}

async function run(
  argv: readonly string[],
  environment: Record<string, string>,
  { cwd, input }: { cwd: string; input: string },
): Promise<{ code: number; output: string }> {
  let output = '';
  const interrupts: (() => void)[] = [];
  const interruptAll = () => {
    for (const interrupt of interrupts.splice(0)) interrupt();
  };
  const write = (text: string) => {
    output += text;
    if (IS_READY.test(output)) setImmediate(interruptAll);
  };
  const terminal: Terminal = {
    argv: argv[0] === 'simulate' || argv[0] === 'mcp' ? [...argv, ...FREE_PORT] : argv,
    environment,
    stdout: write,
    stderr: write,
    readSecret: async () => input,
    onStopSignal: (listener) => void interrupts.push(listener),
    onReloadSignal: () => undefined,
    exitNow: (code) => write(`exited with ${code}\n`),
  };
  const before = process.cwd();
  process.chdir(cwd);
  try {
    return { code: await runCli(terminal), output };
  } catch (error) {
    return { code: 1, output: `${output}${error}` };
  } finally {
    process.chdir(before);
  }
}
