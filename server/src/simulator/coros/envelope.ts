import type { RawReply } from '../../platform/http/raw-route.ts';
import { replyJson } from '../reply-json.ts';

export function replyData(data: unknown): RawReply {
  return replyJson(200, { result: '0000', message: 'OK', data });
}

export function replyResult(result: string, message: string): RawReply {
  return replyJson(200, { result, message });
}
