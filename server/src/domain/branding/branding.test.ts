import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkAccentColor, checkDisplayName, checkLink } from './branding.ts';
import { checkLogo, extensionOf, MAX_LOGO_BYTES } from './logo-image.ts';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const dataUrl = (type: string, bytes: readonly number[]) =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

describe('branding settings', () => {
  it('trims the display name and rejects empty, long and multi-line names', () => {
    assert.deepEqual(checkDisplayName('  Pulse Fitness '), { value: 'Pulse Fitness' });
    for (const name of ['', '  ', 'a\nb', 'x'.repeat(101)]) assert.ok('problem' in checkDisplayName(name), name);
  });

  it('accepts colors in hexadecimal notation', () => {
    assert.deepEqual(checkAccentColor('#F80'), { value: '#ff8800' });
    assert.ok('problem' in checkAccentColor('orange'));
  });

  it('accepts https links, and mail addresses where they are allowed', () => {
    assert.deepEqual(checkLink('https://pulse.example/privacy', { mailto: false }), {
      value: 'https://pulse.example/privacy',
    });
    assert.deepEqual(checkLink('mailto:help@pulse.example', { mailto: true }), { value: 'mailto:help@pulse.example' });
    const refused = ['http://pulse.example', 'javascript:alert(1)', 'https://me:pw@pulse.example', 'pulse.example'];
    for (const link of [...refused, 'mailto:help@pulse.example'])
      assert.ok('problem' in checkLink(link, { mailto: false }), link);
    assert.ok('problem' in checkLink('mailto:', { mailto: true }));
  });
});

describe('an uploaded logo', () => {
  it('has the type of its content', () => {
    const read = (...given: Parameters<typeof dataUrl>) => {
      const checked = checkLogo(dataUrl(...given));
      return 'value' in checked ? extensionOf(checked.value.mediaType) : null;
    };
    assert.equal(read('image/png', [...PNG, 1]), 'png');
    assert.equal(read('image/png', [0xff, 0xd8, 0xff, 0xe0]), 'jpg', 'the stated type does not count');
    assert.equal(read('image/webp', [...Buffer.from('RIFF1234WEBPVP8 ')]), 'webp');
    assert.equal(read('image/png', [...Buffer.from('<svg onload="x">')]), null);
    assert.equal(read('image/svg+xml', PNG), null);
  });

  it('is rejected above 64 kB, and if it is not base64', () => {
    const fill = (length: number) => [...PNG, ...new Array<number>(length - PNG.length).fill(0)];
    assert.ok('value' in checkLogo(dataUrl('image/png', fill(MAX_LOGO_BYTES))));
    assert.ok('problem' in checkLogo(dataUrl('image/png', fill(MAX_LOGO_BYTES + 1))));
    for (const text of ['', 'https://pulse.example/logo.png', 'data:image/png;base64,%%%', 'data:image/png;base64,a'])
      assert.ok('problem' in checkLogo(text), text);
  });
});
