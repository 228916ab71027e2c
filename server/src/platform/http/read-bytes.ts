// Reads a body within a size and a time limit. After a rejection it reads and drops the rest for a while, so that the client
// receives the response instead of a connection reset.
import type { IncomingMessage } from 'node:http';
import { ByteCollector } from '../byte-collector.ts';
import { AppError } from '../errors.ts';

type ReadLimits = {
  readonly bytes: number;
  readonly timeMs: number;
  /** Called for every chunk that is kept. Null: continue. */
  take?(bytes: number): AppError | null;
};

const DRAIN_LIMIT_BYTES = 8_388_608; // beyond this the client is hostile and the connection is closed

export function readBytes(payload: IncomingMessage, limits: ReadLimits): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const kept = new ByteCollector();
  let size = 0;
  let refusal: AppError | null = null;
  const finish = (settle: () => void) => {
    clearTimeout(timer);
    payload.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
    kept.clear();
    settle();
  };
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (refusal === null) {
      refusal = size > limits.bytes ? tooLarge(limits.bytes) : (limits.take?.(chunk.length) ?? null);
      if (refusal === null) kept.add(chunk);
      else kept.clear();
    }
    if (refusal !== null && size > limits.bytes + DRAIN_LIMIT_BYTES) {
      payload.destroy();
      finish(() => reject(refusal));
    }
  };
  const onEnd = () => {
    const bytes = refusal === null ? kept.take() : null;
    finish(() => (bytes === null ? reject(refusal) : resolve(bytes)));
  };
  const onError = (error: Error) => finish(() => reject(error));
  const onClose = () => finish(() => reject(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })));
  const timer = setTimeout(() => {
    payload.resume(); // the rest is dropped until the connection is closed
    finish(() => reject(refusal ?? new AppError('request_timeout', { headers: { connection: 'close' } })));
  }, limits.timeMs);
  if (payload.destroyed) onClose();
  else payload.on('data', onData).once('end', onEnd).once('error', onError).once('close', onClose);
  return promise;
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('payload_too_large', { details: { limit_bytes: limitBytes } });
}
