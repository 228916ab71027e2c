// Checks a signature as a receiver does (Standard Webhooks), in the browser. The secret is not sent anywhere.

const PREFIX = 'whsec_';

export type Message = { readonly id: string; readonly timestamp: string; readonly body: string };

export type SignatureResult =
  | { readonly outcome: 'unreadable' }
  | { readonly outcome: 'matches' | 'differs'; readonly computed: string };

/** `signatures` is the header: one or more, separated by spaces. */
export async function checkSignature(secret: string, message: Message, signatures: string): Promise<SignatureResult> {
  const key = decodeSecret(secret.trim());
  if (key === null) return { outcome: 'unreadable' };
  const computed = await sign(key, message);
  return { outcome: signatures.split(' ').includes(computed) ? 'matches' : 'differs', computed };
}

function decodeSecret(secret: string): Uint8Array<ArrayBuffer> | null {
  if (!secret.startsWith(PREFIX)) return null;
  try {
    const key = Uint8Array.from(atob(secret.slice(PREFIX.length)), (letter) => letter.charCodeAt(0));
    return key.length === 0 ? null : key;
  } catch {
    return null;
  }
}

async function sign(secret: Uint8Array<ArrayBuffer>, { id, timestamp, body }: Message): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const bytes = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${body}`));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
}
