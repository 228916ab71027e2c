import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeKey, encodeQuery, hashHex, signRequest } from './sign-request.ts';

// The credentials, time and signatures of the examples in the S3 API reference ("Signature Calculations for the Authorization Header").
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
};
const now = new Date('2013-05-24T00:00:00Z');
const sign = (method: string, path: string, headers: Record<string, string>, body = '') => {
  const url = new URL(path, 'https://examplebucket.s3.amazonaws.com');
  const signed = signRequest({ method, url, headers, bodyHash: hashHex(body), region: 'us-east-1', credentials, now });
  return signed.authorization?.split('Signature=')[1];
};

describe('signRequest', () => {
  it('signs as the reference does', () => {
    assert.equal(
      sign('GET', '/test.txt', { range: 'bytes=0-9' }),
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
    const headers = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' };
    assert.equal(
      sign('PUT', `/${encodeKey('test$file.text')}`, headers, 'Welcome to Amazon S3.'),
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    );
    assert.equal(
      sign('GET', `/?${encodeQuery({ prefix: 'J', 'max-keys': '2' })}`, {}),
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    );
  });

  it('encodes keys and queries as the reference does', () => {
    assert.equal(encodeKey("a b/c+d'(1)*"), 'a%20b/c%2Bd%27%281%29%2A');
    assert.equal(encodeQuery({ uploads: '', prefix: 'a/b' }), 'prefix=a%2Fb&uploads=');
  });
});
