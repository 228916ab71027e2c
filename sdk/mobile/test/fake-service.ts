// The client against a small fake of the service.
import { createMobileClient, type MobileEvent, type MobileOptions, memoryStorage } from '../src/index.ts';

export type Call = { readonly path: string; readonly token: string | null; readonly body: Record<string, unknown> };
type FakeReply = { status?: number; headers?: Record<string, string>; body: unknown };

export const SOURCE = { provider: 'apple_health', id: 'watch' } as const;
export const CREDENTIALS = { access_token: 'sa_1', refresh_token: 'sr_1', session_id: 's', user_id: 'u', scopes: [] };

export const beat = (minute: number, ids = [`id-${minute}`]) => ({
  list: 'samples' as const,
  ids,
  value: { metric: 'heart_rate', start: new Date(Date.UTC(2026, 2, 2, 6, minute)).toISOString(), value: 60 },
});
export const beats = (...minutes: number[]) => ({
  groups: [{ source: SOURCE, items: minutes.map((minute) => beat(minute)) }],
});

export function setUp(
  answer: (call: Call, index: number) => FakeReply | null = () => null,
  options: Partial<MobileOptions> = {},
) {
  const calls: Call[] = [];
  const events: MobileEvent[] = [];
  const waits: number[] = [];
  const client = createMobileClient({
    baseUrl: 'https://health.example/',
    platform: 'ios',
    storage: memoryStorage(),
    getToken: async () => 'ct_1',
    automatic: null,
    gzip: null,
    onEvent: (event) => void events.push(event),
    sleep: async (ms) => void waits.push(ms),
    random: seeded(),
    ...options,
    async fetch(url, init) {
      const body = init.body === undefined ? {} : (JSON.parse(String(init.body)) as Record<string, unknown>);
      const token = new Headers(init.headers).get('authorization');
      const call = { path: new URL(url).pathname, token, body };
      calls.push(call);
      const fallback = call.path.endsWith('uploads')
        ? { upload_id: body.upload_id, accepted: 1, duplicates: 0, deleted: 0, rejected: [], rejected_count: 0 }
        : CREDENTIALS;
      const { status = 200, headers = {}, body: reply } = answer(call, calls.length) ?? { body: fallback };
      return new Response(status === 204 ? null : JSON.stringify(reply), { status, headers });
    },
  });
  return { client, calls, events, waits };
}

export function seeded(): () => number {
  let state = 7;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

export const error = (status: number, code: string) => ({ status, body: { error: code, message: 'm', details: {} } });
export const uploadsOf = (calls: readonly Call[]) => calls.filter(({ path }) => path === '/v1/sdk/uploads');
