import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startS3Server } from '../../../test/support/s3-server.ts';
import { createS3Client } from './s3-client.ts';

const server = await startS3Server();
after(() => server.stop());
const open = (secretAccessKey = server.environment.AWS_SECRET_ACCESS_KEY ?? '') =>
  createS3Client({
    bucket: 'bucket',
    endpoint: server.url,
    region: server.environment.AWS_REGION ?? '',
    credentials: { accessKeyId: server.environment.AWS_ACCESS_KEY_ID ?? '', secretAccessKey, sessionToken: 'session' },
    userAgent: 'test',
  });
const s3 = open();

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(1_000_000, `${index % 10}`);
}

describe('createS3Client', () => {
  it('writes, reads, lists over several pages and removes objects whose keys need encoding', async () => {
    const keys = ["a b/c+d'(1).txt", 'ä/2', 'ä/3', 'ä/4', 'ä/5'];
    for (const key of keys) await s3.write(key, Buffer.from(key));
    assert.equal((await s3.read(keys[0] ?? ''))?.toString(), keys[0]);
    assert.deepEqual((await s3.list('ä/')).sort(), keys.slice(1));
    for (const key of keys) await s3.remove(key);
    assert.equal(await s3.read(keys[0] ?? ''), null);
    assert.equal(server.objects.size, 0);
  });

  it('writes a large object in parts, and a small one at once', async () => {
    await s3.writeStream('large', pieces(20));
    assert.equal(server.objects.get('large')?.length, 20_000_000);
    assert.equal(server.uploads.size, 0);
    server.log.length = 0;
    await s3.writeStream('small', pieces(1));
    assert.deepEqual(server.log, ['PUT /bucket/small']);
  });

  it('repeats a request after 503 and after a lost connection', async () => {
    const faults = [503, 0, 500];
    server.fault = () => faults.shift() ?? null;
    await s3.write('retried', Buffer.from('x'));
    assert.equal(faults.length, 0);
    assert.equal(server.objects.get('retried')?.toString(), 'x');
  });

  it('aborts the upload and keeps the earlier object if the content ends early', async () => {
    await s3.write('cut', Buffer.from('before'));
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* pieces(20);
      throw new Error('download broke');
    }
    await assert.rejects(s3.writeStream('cut', broken()), /download broke/);
    assert.equal(server.objects.get('cut')?.toString(), 'before');
    assert.equal(server.uploads.size, 0);
  });

  it('aborts the parts of a killed export', async () => {
    server.uploads.set('left', { key: 'prefix/left', parts: new Map() });
    server.uploads.set('other', { key: 'elsewhere', parts: new Map() });
    server.uploads.set('unwanted', { key: 'prefix/unwanted', parts: new Map() });
    await s3.abortUploads('prefix/', (key) => key !== 'prefix/unwanted');
    assert.deepEqual([...server.uploads.keys()], ['other', 'unwanted']);
  });

  it('does not repeat a request with a wrong key', async () => {
    server.log.length = 0;
    await assert.rejects(open('wrong').write('denied', Buffer.from('x')), /SignatureDoesNotMatch. refused by the test/);
    assert.equal(server.log.length, 1);
  });
});
