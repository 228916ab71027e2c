// An uploaded logo: a small PNG, JPEG or WebP. SVG is not accepted, because it can contain scripts. Pure.
import type { Checked } from './branding.ts';

const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];
export type LogoImage = { readonly mediaType: LogoType; readonly image: Uint8Array };

export const MAX_LOGO_BYTES = 65_536; // a logo is shown at 56 pixels; the limit keeps pages and mails small
const DATA_URL =
  /^data:image\/(?:png|jpeg|webp);base64,((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const PROBLEM = 'must be a data URL of a PNG, JPEG or WebP image of at most 64 kB';

/** The content decides about the type, so that a file with a wrong name cannot be served as something else. */
export function checkLogo(dataUrl: string): Checked<LogoImage> {
  const [, encoded] = DATA_URL.exec(dataUrl) ?? [];
  if (encoded === undefined) return { problem: PROBLEM };
  const image = Uint8Array.fromBase64(encoded);
  const mediaType = typeOf(image);
  return mediaType === null || image.length > MAX_LOGO_BYTES ? { problem: PROBLEM } : { value: { mediaType, image } };
}

const SIGNATURES: readonly (readonly [LogoType, readonly (readonly [at: number, bytes: readonly number[]])[]])[] = [
  ['image/png', [[0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]]]],
  ['image/jpeg', [[0, [0xff, 0xd8, 0xff]]]],
  [
    'image/webp',
    [
      [0, [0x52, 0x49, 0x46, 0x46]],
      [8, [0x57, 0x45, 0x42, 0x50]],
    ],
  ],
];

function typeOf(image: Uint8Array): LogoType | null {
  const found = SIGNATURES.find(([, parts]) =>
    parts.every(([at, bytes]) => bytes.every((byte, index) => image[at + index] === byte)),
  );
  return found?.[0] ?? null;
}

export function extensionOf(mediaType: LogoType): string {
  return mediaType === 'image/jpeg' ? 'jpg' : mediaType.slice('image/'.length);
}
