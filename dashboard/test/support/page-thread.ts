// A page that a thread of its own drives. The service of a test runs in the main thread, where the messages of the browser would delay
// its answers by milliseconds, as no service outside a test is delayed.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { TestMember } from '../../../server/test/support/test-members.ts';

type Address = { readonly url: string; readonly path: string; readonly member: TestMember };

type PageThread = {
  /** `code` is an expression; resolves to its value. */
  evaluate(code: string): Promise<unknown>;
  close(): Promise<void>;
};

/** Resolves when the network of the page is idle. */
export async function openPageThread(address: Address): Promise<PageThread> {
  const thread = new Worker(import.meta.filename, { workerData: address });
  const receive = async () => (await once(thread, 'message'))[0] as unknown; // rejects if the thread fails
  await receive();
  return {
    async evaluate(code) {
      const value = receive();
      thread.postMessage(code);
      return value;
    },
    async close() {
      thread.postMessage(null);
      await once(thread, 'exit');
    },
  };
}

async function drivePage({ url, path, member }: Address): Promise<void> {
  const { launchChromium, toCookie } = await import('./start-dashboard.ts');
  const browser = await launchChromium();
  const context = await browser.newContext({ baseURL: url });
  await context.addCookies([toCookie(url, member)]);
  const page = await context.newPage();
  await page.goto(`/dashboard${path}`);
  await page.waitForLoadState('networkidle');
  const answer = async (code: string | null) => {
    if (code !== null) return void parentPort?.postMessage(await page.evaluate(code));
    await browser.close();
    parentPort?.close();
  };
  parentPort?.on('message', answer);
  parentPort?.postMessage('open');
}

if (!isMainThread) await drivePage(workerData as Address);
