// tributary simulate: simulated cloud providers on this machine, for tests of any client.
import { createHash } from 'node:crypto';
import { systemClock } from '../platform/clock.ts';
import { readPort } from './local-port.ts';
import { type ServedSimulator, serveSimulator } from './simulator-server.ts';
import { createStopSignal, printJson, printTable, type Terminal } from './terminal.ts';

export type SimulateOptions = {
  port: string;
  redirectUri?: string[];
  providerWebhooks?: string;
  name: string;
  json?: boolean;
};

const TICK_MS = 60_000;

export async function simulate(terminal: Terminal, options: SimulateOptions): Promise<void> {
  const served = await serveSimulator({
    port: readPort(options.port),
    key: createHash('sha256').update(`simulate/${options.name}`).digest(),
    redirectUris: options.redirectUri ?? 'loopback',
    webhookUrlOf: (provider) => options.providerWebhooks?.replaceAll('{provider}', provider) ?? null,
    now: () => systemClock.now(),
    onAnswer: ({ method, path }, status) => {
      if (options.json) printJson(terminal, { method, path, status });
      else terminal.stdout(`${status}  ${method.padEnd(6)}  ${path}\n`);
    },
  });
  printStart(terminal, served, options);
  const signal = createStopSignal(terminal);
  const ticking = setInterval(() => void served.simulator.tick(), TICK_MS);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  clearInterval(ticking);
  await served.close();
}

function printStart(
  terminal: Terminal,
  { simulator, url }: ServedSimulator,
  { json, redirectUri }: SimulateOptions,
): void {
  const rows = simulator.providers.map((provider) => ({
    provider,
    base_url: `${url}/${provider}`,
    client: simulator.clientOf(provider),
  }));
  if (json) {
    for (const { provider, base_url, client } of rows)
      printJson(terminal, { provider, base_url, client_id: client.clientId, client_secret: client.clientSecret });
    return;
  }
  printTable(
    terminal,
    ['provider', 'base url', 'client id', 'client secret'],
    rows.map(({ provider, base_url, client }) => [provider, base_url, client.clientId, client.clientSecret]),
  );
  const back = redirectUri?.join(', ') ?? 'any URL on this machine';
  terminal.stdout(`Redirects to ${back}. Faults: ${url}/_control/faults (docs/simulator.md). Press Ctrl-C to stop.\n`);
}
