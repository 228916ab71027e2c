// The first segment of every path of the API.
export const VERSION_PREFIX = '/v1';

export function isVersioned(url: string): boolean {
  return url === VERSION_PREFIX || /^\/v1[/?]/.test(url);
}
