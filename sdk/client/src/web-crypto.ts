/** Node 18 has Web Crypto only as a module. */
export async function loadCrypto(): Promise<Crypto> {
  if (globalThis.crypto !== undefined) return globalThis.crypto;
  const name = 'node:crypto';
  const { webcrypto } = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
  return webcrypto;
}

/** Browsers have `crypto.randomUUID` only on secure pages. */
export async function randomUuid(): Promise<string> {
  const bytes = (await loadCrypto()).getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
