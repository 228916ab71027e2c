// Sends webhooks one after the other, retries failed ones, and sends them late or twice if a fault says so.

export type Push = {
  readonly provider: string;
  /** The account that it is about. Null: none. */
  readonly account: string | null;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type PushAnswer = { readonly status: number; readonly body: string };

/** Null: no response. */
export type SendPush = (push: Push) => Promise<PushAnswer | null>;

const MAX_ATTEMPTS = 5;
const MAX_WAITING = 10_000;

export type PushQueue = {
  readonly size: number;
  add(pushes: readonly Push[]): void;
  /** Tries each once and returns how many were delivered. */
  drain(): Promise<number>;
};

type PushFaults = { isLate(push: Push): boolean; isDoubled(push: Push): boolean };

export function createPushQueue(send: SendPush, { isLate, isDoubled }: PushFaults): PushQueue {
  let waiting: { readonly push: Push; readonly attempts: number }[] = [];
  let draining: Promise<number> = Promise.resolve(0);
  const drainOnce = async () => {
    const now = waiting.filter(({ push }) => !isLate(push));
    waiting = waiting.filter(({ push }) => isLate(push));
    let taken = 0;
    for (const { push, attempts } of now) {
      const answer = await trySend(send, push);
      if (isTaken(answer) && isDoubled(push)) await trySend(send, push);
      if (isTaken(answer)) taken += 1;
      else if (attempts + 1 < MAX_ATTEMPTS) waiting.push({ push, attempts: attempts + 1 });
    }
    return taken;
  };
  return {
    get size() {
      return waiting.length;
    },
    add(pushes) {
      waiting.push(...pushes.map((push) => ({ push, attempts: 0 })));
      if (waiting.length > MAX_WAITING) waiting = waiting.slice(-MAX_WAITING);
    },
    drain() {
      draining = draining.then(drainOnce);
      return draining;
    },
  };
}

/** Also null if sending itself fails, because a provider does not distinguish the reasons. */
export async function trySend(send: SendPush, push: Push): Promise<PushAnswer | null> {
  try {
    return await send(push);
  } catch {
    return null;
  }
}

function isTaken(answer: PushAnswer | null): boolean {
  return answer !== null && answer.status >= 200 && answer.status < 300;
}
