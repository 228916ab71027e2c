// Opens the connect page, in a popup or instead of this page, and waits for the outcome.
import { type ConnectOutcome, parseReport } from './outcome.ts';

export type ConnectOptions = {
  /** `auth_url` from `POST /v1/users/{id}/devices`, or a function that gets a new one from your backend. */
  readonly authUrl: string | (() => Promise<string>);
  /** Default: popup. If the browser blocks the popup, this page is redirected. */
  readonly mode?: 'popup' | 'redirect';
  /** Language of the connect page, such as `de`. Default: as the browser asks. */
  readonly language?: string;
};

const WINDOW_NAME = 'tributary-connect';
const WIDTH_PX = 480;
const HEIGHT_PX = 760;
const CLOSED_CHECK_MS = 300; // a closed window fires no event

/**
 * Call it in the handler of a click, or the browser blocks the popup. Rejects only if `authUrl` rejects. One page has one popup:
 * a second call reuses the window, and the first call reports `closed`.
 */
export async function connect({ authUrl, mode = 'popup', language }: ConnectOptions): Promise<ConnectOutcome> {
  cancelLast();
  const popup = mode === 'popup' ? openPopup() : null;
  let url: URL;
  try {
    url = new URL(typeof authUrl === 'string' ? authUrl : await authUrl(), location.href);
  } catch (error) {
    popup?.close();
    throw error;
  }
  if (language !== undefined) url.searchParams.set('lang', language);
  if (popup === null) {
    location.assign(url);
    return { status: 'redirected' };
  }
  url.searchParams.set('display', 'popup');
  const outcome = waitForOutcome(popup, url.origin);
  popup.location.href = url.href;
  return outcome;
}

let cancelLast: () => void = () => undefined;

/** Opened before the URL is known, because browsers allow a popup only in the click itself. Null: blocked. */
function openPopup(): Window | null {
  const left = Math.max(0, screenX + (outerWidth - WIDTH_PX) / 2);
  const top = Math.max(0, screenY + (outerHeight - HEIGHT_PX) / 2);
  const place = `left=${Math.round(left)},top=${Math.round(top)}`;
  return open('about:blank', WINDOW_NAME, `popup,width=${WIDTH_PX},height=${HEIGHT_PX},${place}`);
}

/** Accepts only a message from the popup itself while it shows a page of the service. */
function waitForOutcome(popup: Window, origin: string): Promise<ConnectOutcome> {
  return new Promise((resolve) => {
    let wasClosed = false;
    const finish = (outcome: ConnectOutcome) => {
      removeEventListener('message', receive);
      clearInterval(timer);
      resolve(outcome);
    };
    const receive = ({ origin: sender, source, data }: MessageEvent) => {
      const outcome = sender === origin && source === popup ? parseReport(data) : null;
      if (outcome !== null) finish(outcome);
    };
    // The popup closes itself after its message, which may still be on its way: the second look decides.
    const look = () => {
      if (popup.closed && wasClosed) finish({ status: 'closed' });
      wasClosed = popup.closed;
    };
    const timer = setInterval(look, CLOSED_CHECK_MS);
    addEventListener('message', receive);
    cancelLast = () => finish({ status: 'closed' });
  });
}
