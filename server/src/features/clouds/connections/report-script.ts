// The script of a result page in a popup: posts the outcome to the window that opened it, and closes. Pure.
import type { Ending } from './authorization-request.ts';

type Report = {
  readonly ending: Ending;
  /** The only origin that receives the outcome. */
  readonly origin: string;
  /** Where the popup goes if the provider's pages have cut the connection to the window that opened it. */
  readonly back: string;
};

/** The page that opened the popup recognizes the message by it. */
const MESSAGE_TYPE = 'tributary.connect';

export function writeReportScript({ ending, origin, back }: Report): string {
  const reason = ending.status === 'failed' ? ending.reason : null;
  const message = {
    type: MESSAGE_TYPE,
    status: ending.status,
    device_id: ending.deviceId,
    failure_reason: reason,
    reason,
  };
  return `if (window.opener) { window.opener.postMessage(${literal(message)}, ${literal(origin)}); window.close(); } else { location.replace(${literal(back)}); }`;
}

/** Safe inside a script element. */
function literal(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
