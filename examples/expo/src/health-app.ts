// Everything but the view: sign in, upload, connect a provider, read a day.
import { createMobileClient, type MobileEvent, type Storage } from '@tributary/mobile';
import type { HealthPlatform } from './health-source.ts';

export type AppState = {
  readonly isSignedIn: boolean;
  readonly pending: number;
  readonly lastUpload: string | null;
  readonly message: string;
  readonly day: Readonly<Record<string, number | null>>;
};

export type HealthAppOptions = {
  readonly backendUrl: string;
  readonly serviceUrl: string;
  readonly storage: Storage;
  readonly health: HealthPlatform;
  readonly onChange: (state: AppState) => void;
};

const SESSION = 'app/session'; // outside of the keys of the mobile client
const LAST_UPLOAD = 'app/last-upload';
const START: AppState = { isSignedIn: false, pending: 0, lastUpload: null, message: '', day: {} };

export function createHealthApp({ backendUrl, serviceUrl, storage, health, onChange }: HealthAppOptions) {
  let state = START;
  const update = (change: Partial<AppState>) => {
    state = { ...state, ...change };
    onChange(state);
  };

  async function callBackend<Reply>(path: string, body?: object): Promise<Reply> {
    const session = await storage.get(SESSION);
    const response = await fetch(`${backendUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${session ?? ''}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`The backend answered ${response.status}.`);
    return response.json() as Promise<Reply>;
  }

  const client = createMobileClient({
    baseUrl: serviceUrl,
    storage,
    platform: health.platform,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    automatic: null, // this app sends after each read
    getToken: async () => {
      if ((await storage.get(SESSION)) === null) return null;
      const body = { installation_id: await client.installationId(), platform: health.platform };
      return (await callBackend<{ client_token: string }>('/sdk-session', body)).client_token;
    },
    onEvent: (event) => void show(event),
  });

  async function show(event: MobileEvent): Promise<void> {
    if (event.type === 'queued' || event.type === 'finished') update({ pending: event.pending });
    if (event.type === 'waiting') update({ message: `Waiting: ${event.reason}` });
    if (event.type === 'stopped') update({ message: `Not everything was sent: ${event.reason}` });
    if (event.type === 'parked') update({ message: `The service refused ${event.items} items: ${event.message}` });
    if (event.type !== 'uploaded') return;
    const lastUpload = new Date().toISOString();
    update({ pending: event.pending, lastUpload, message: '' });
    await storage.set(LAST_UPLOAD, lastUpload);
  }

  async function queueChanges(): Promise<void> {
    for (const source of health.sources) {
      let hasMore = true;
      while (hasMore) {
        const page = await source.read(await client.readAnchor(source.name));
        const last = page.changes.length - 1;
        // The anchor is stored with the last of the changes: a crash before it reads them again.
        for (const [index, changes] of page.changes.entries())
          await client.enqueue(changes, index === last ? { name: source.name, value: page.anchor } : undefined);
        hasMore = page.hasMore;
      }
    }
  }

  return {
    async open(): Promise<void> {
      const [session, lastUpload] = await Promise.all([storage.get(SESSION), storage.get(LAST_UPLOAD)]);
      update({ isSignedIn: session !== null, lastUpload, pending: await client.pending() });
    },
    async signIn(name: string): Promise<void> {
      const { session } = await callBackend<{ session: string }>('/sign-in', { name });
      await storage.set(SESSION, session);
      update({ isSignedIn: true });
      await health.askPermission();
    },
    /** Call it when the app opens, and in background tasks. */
    async sync(): Promise<void> {
      await queueChanges();
      const { pending } = await client.flush();
      update({ pending });
    },
    async readDay(date: string): Promise<void> {
      update({ day: await callBackend<AppState['day']>(`/day?date=${date}`) });
    },
    /** The address to open in the browser. */
    async connect(): Promise<string> {
      return (await callBackend<{ auth_url: string }>('/connect-link', {})).auth_url;
    },
    async signOut(): Promise<void> {
      await client.reset();
      for (const key of [SESSION, LAST_UPLOAD]) await storage.delete(key);
      update(START);
    },
  };
}
