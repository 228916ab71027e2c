// The appearance of an account as JSON. Shared by every endpoint that reads or changes it.
import type { Static } from 'typebox';
import type { Branding } from '../../../domain/branding/branding.ts';
import { MAX_LOGO_BYTES } from '../../../domain/branding/logo-image.ts';
import { nullable, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { BrandingChange } from './branding.ts';

const MAX_DATA_URL_CHARACTERS = Math.ceil(MAX_LOGO_BYTES / 3) * 4 + 100;

const link = (description: string) =>
  Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 2_048, description })));

/** For the body of a PATCH. */
export const brandingFields = {
  display_name: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'name on hosted pages and in mails; null: the account name',
      }),
    ),
  ),
  logo: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: MAX_DATA_URL_CHARACTERS,
        description: 'data URL of a PNG, JPEG or WebP image of at most 64 kB',
      }),
    ),
  ),
  accent_color: Type.Optional(
    nullable(Type.String({ minLength: 4, maxLength: 7, description: 'of buttons and links, such as #0b6a8f' })),
  ),
  privacy_url: link('https URL of the privacy policy'),
  support_url: link('https URL of a help page, or a mailto: address'),
};

const brandingBody = requestObject(brandingFields);

export const brandingReply = Type.Object({
  display_name: Type.String(),
  logo_url: nullable(Type.String({ description: 'path on this service, or an https URL' })),
  accent_color: nullable(Type.String()),
  privacy_url: nullable(Type.String()),
  support_url: nullable(Type.String()),
});

export function parseBranding(body: Static<typeof brandingBody>): BrandingChange {
  return {
    ...(body.display_name !== undefined && { displayName: body.display_name }),
    ...(body.logo !== undefined && { logo: body.logo }),
    ...(body.accent_color !== undefined && { accentColor: body.accent_color }),
    ...(body.privacy_url !== undefined && { privacyUrl: body.privacy_url }),
    ...(body.support_url !== undefined && { supportUrl: body.support_url }),
  };
}

export function presentBranding(branding: Branding) {
  return {
    display_name: branding.displayName,
    logo_url: branding.logoUrl,
    accent_color: branding.accentColor,
    privacy_url: branding.privacyUrl,
    support_url: branding.supportUrl,
  };
}
