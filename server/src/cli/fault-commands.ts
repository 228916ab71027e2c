// tributary sandbox fault: makes simulated providers of the running service fail.
import { callOperator } from './operator-client.ts';
import { CommandError, printJson, printTable, type Terminal } from './terminal.ts';

export type FaultOptions = {
  provider: string;
  account?: string;
  times?: string;
  on?: string;
  delayMs?: string;
  record?: string;
  date?: string;
  json?: boolean;
};
type JsonOption = { json?: boolean };
type ActiveFault = { id: number; kind: string; provider: string } & Partial<Record<string, string | number>>;

const PATH = '/admin/simulator/faults';

export async function setFault(terminal: Terminal, kind: string, options: FaultOptions): Promise<void> {
  const { provider, account, on, record, date } = options;
  const counts = { times: readCount('--times', options.times), delay_ms: readCount('--delay-ms', options.delayMs) };
  const fault = { kind, provider, account, on, record, date, ...counts };
  const set = await callOperator<ActiveFault>(terminal, 'POST', PATH, fault);
  if (options.json) return printJson(terminal, set);
  terminal.stdout(`Fault ${set.id}: ${describe(set)}\n`);
}

export async function listFaults(terminal: Terminal, { json }: JsonOption): Promise<void> {
  const { data } = await callOperator<{ data: ActiveFault[] }>(terminal, 'GET', PATH);
  if (json) return printJson(terminal, data);
  if (data.length === 0) terminal.stdout('No active faults.\n');
  else
    printTable(
      terminal,
      ['id', 'fault'],
      data.map((fault) => [String(fault.id), describe(fault)]),
    );
}

export async function clearFaults(terminal: Terminal, id: string | undefined): Promise<void> {
  await callOperator(terminal, 'DELETE', id === undefined ? PATH : `${PATH}/${encodeURIComponent(id)}`);
  terminal.stdout(id === undefined ? 'All faults cleared.\n' : `Fault ${id} cleared.\n`);
}

export async function listAccounts(terminal: Terminal, { json }: JsonOption): Promise<void> {
  type Account = { provider: string; account: string };
  const { data } = await callOperator<{ data: Account[] }>(terminal, 'GET', '/admin/simulator/accounts');
  if (json) return printJson(terminal, data);
  printTable(
    terminal,
    ['provider', 'account'],
    data.map(({ provider, account }) => [provider, account]),
  );
}

export async function sendWebhooks(terminal: Terminal, { json }: JsonOption): Promise<void> {
  const sent = await callOperator<{ taken: number }>(terminal, 'POST', '/admin/simulator/provider-webhooks');
  if (json) return printJson(terminal, sent);
  terminal.stdout(`Webhooks accepted: ${sent.taken}\n`);
}

function readCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CommandError(`${name} must be a whole number above 0.`);
  return Number(text);
}

function describe({ id: _, kind, provider, ...rest }: ActiveFault): string {
  const details = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  return [kind, `at ${provider}`, ...details].join(', ');
}
