// The appearance of an account: settings, checks, and the uploaded logo.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { issuePaths } from '../support/test-users.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const BRANDING = '/admin/accounts/default/branding';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

describe('branding', () => {
  it('200 changes the given settings, keeps the others, and null removes one', async () => {
    const operator = service.operator();
    const set = await operator.patch(BRANDING, { display_name: ' Pulse ', accent_color: '#F80' });
    assert.equal(set.status, 200, set.text);
    const links = { privacy_url: 'https://pulse.example/privacy', support_url: 'mailto:help@pulse.example' };
    const changed = await operator.patch(BRANDING, links);
    const expected = { display_name: 'Pulse', logo_url: null, accent_color: '#ff8800', ...links };
    assert.deepEqual(changed.body, expected);
    const removed = await operator.patch(BRANDING, { display_name: null, accent_color: null });
    assert.deepEqual(removed.body, { ...expected, display_name: 'default', accent_color: null });
  });

  it('200 stores a logo and serves it with safe headers under a name that changes with it', async () => {
    const operator = service.operator();
    const set = await operator.patch(BRANDING, { logo: `data:image/png;base64,${PNG.toString('base64')}` });
    assert.match(set.body.logo_url, /^\/logos\/[0-9a-f]{32}\.png$/);
    const served = await fetch(`${service.url}${set.body.logo_url}`);
    assert.equal(served.status, 200);
    assert.equal(served.headers.get('content-type'), 'image/png');
    assert.equal(served.headers.get('x-content-type-options'), 'nosniff');
    assert.match(served.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.deepEqual(Buffer.from(await served.arrayBuffer()), PNG);
    const removed = await operator.patch(BRANDING, { logo: null });
    assert.equal(removed.body.logo_url, null);
    assert.equal((await fetch(`${service.url}${set.body.logo_url}`)).status, 404);
  });

  it('400 names the setting that is not valid', async () => {
    const refused = {
      display_name: 'two\nlines',
      accent_color: 'orange',
      privacy_url: 'http://pulse.example',
      support_url: 'javascript:alert(1)',
      logo: `data:image/png;base64,${Buffer.from('<svg/>').toString('base64')}`,
    };
    for (const [name, value] of Object.entries(refused)) {
      const answer = await service.operator().patch(BRANDING, { [name]: value });
      assert.equal(answer.status, 400, name);
      assert.deepEqual(issuePaths(answer.body), [name]);
    }
  });

  it('404 for an unknown account, and for an unknown logo', async () => {
    const answer = await service.operator().patch('/admin/accounts/nobody/branding', { display_name: 'x' });
    assert.equal(answer.status, 404);
    for (const file of ['x.png', `${'0'.repeat(32)}.png`, '..%2f..%2fetc'])
      assert.equal((await fetch(`${service.url}/logos/${file}`)).status, 404, file);
  });
});
