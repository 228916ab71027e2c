import { words } from './words.ts';

/** The limit of the service. */
const MAX_BYTES = 64 * 1024;
const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** The problem of a chosen logo; null if there is none. */
export function checkLogo({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!TYPES.includes(type)) return words.logoType;
  return size > MAX_BYTES ? words.logoSize(Math.ceil(size / 1024)) : null;
}

export function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
