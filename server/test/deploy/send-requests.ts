// Runs in a pod of run-kubernetes.sh: sends requests at a fixed rate, half of them over new connections, until SIGTERM, then prints how
// many had which result. Ends with 1 if one failed. Arguments: URL, API key, requests per second.
import { Agent, request } from 'node:http';

const [url, key, rate] = process.argv.slice(2);
const kept = new Agent({ keepAlive: true, maxSockets: 8 });
const run = Date.now();
const started = performance.now();
const results: Record<string, number> = {};
let sent = 0;
let open = 0;

const timer = setInterval(() => {
  while (sent < ((performance.now() - started) / 1_000) * Number(rate)) void send(sent++);
}, 10);

process.on('SIGTERM', () => {
  clearInterval(timer);
  setInterval(finish, 50);
});

/** Every fifth request creates a user. */
async function send(number: number): Promise<void> {
  const body = number % 5 === 0 ? JSON.stringify({ reference_id: `${run}-${number}` }) : null;
  open++;
  const result = await ask(number % 2 === 0 ? false : kept, body).catch((error: NodeJS.ErrnoException) => error.code);
  open--;
  results[`${result}`] = (results[`${result}`] ?? 0) + 1;
  if (!isGood(`${result}`)) print(`${new Date().toISOString()} ${body === null ? 'GET' : 'POST'} ${result}`);
}

function ask(agent: Agent | false, body: string | null): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    };
    const [method, query] = body === null ? ['GET', '?per_page=1'] : ['POST', ''];
    const sending = request(`${url}/v1/users${query}`, { agent, method, headers, timeout: 30_000 }, (answer) => {
      answer
        .resume()
        .on('error', reject)
        .on('end', () => resolve(answer.statusCode));
    });
    sending.on('timeout', () => sending.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })));
    sending.on('error', reject);
    sending.end(body ?? undefined);
  });
}

function isGood(result: string): boolean {
  return result === '200' || result === '201';
}

function finish(): void {
  if (open > 0) return;
  print(JSON.stringify({ seconds: Math.round((performance.now() - started) / 1_000), sent, ...results }));
  process.exit(Object.keys(results).every(isGood) ? 0 : 1);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
