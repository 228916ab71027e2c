// Tests signing in with an authenticator app and with recovery codes.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { computeCode } from '../../src/features/tenancy/members/totp.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { createMember, memberApi, PASSWORD } from '../support/test-members.ts';
import { startTestService } from '../support/test-service.ts';

const clock = createFrozenClock();
const service = await startTestService({ clock });
after(() => service.stop());
const API = '/dashboard/api';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function codeNow(secret: string): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  return computeCode(key, Math.floor(clock.now().getTime() / 30_000));
}

describe('an authenticator app', () => {
  it('is asked for after it was confirmed; each code and each recovery code works once', async () => {
    const { email, cookie } = await createMember(service, 'default', 'viewer');
    const own = memberApi(service, cookie);
    const signIn = (code?: string) =>
      memberApi(service, null).post(`${API}/session`, { email, password: PASSWORD, ...(code && { code }) });
    const started = await own.post(`${API}/totp`);
    assert.equal(started.status, 201, started.text);
    assert.equal((await signIn()).status, 200, 'not asked for yet');
    assert.equal((await own.post(`${API}/totp/confirm`, { code: '000000' })).status, 400);
    const confirmed = await own.post(`${API}/totp/confirm`, { code: codeNow(started.body.secret) });
    assert.equal(confirmed.status, 200, confirmed.text);
    assert.equal(confirmed.body.recovery_codes.length, 10);
    assert.equal((await signIn()).body.error, 'code_required');
    clock.advance(MINUTE_MS);
    const code = codeNow(started.body.secret);
    assert.equal((await signIn(code)).status, 200);
    assert.equal((await signIn(code)).status, 401);
    const [recovery] = confirmed.body.recovery_codes;
    const answer = await signIn(recovery);
    assert.equal(answer.body.member.has_totp, true);
    assert.equal((await signIn(recovery)).status, 401);
    const renewed = confirmed.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    assert.equal((await memberApi(service, renewed).delete(`${API}/totp`)).status, 204);
    assert.equal((await signIn()).status, 200);
  });
});
