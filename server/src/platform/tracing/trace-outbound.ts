// Adds a span for each outgoing request: host, kind and status, never the path. The trace is not passed on to other companies.
import type { Outbound, OutboundAnswer } from '../outbound/index.ts';
import type { Tracer } from './tracer.ts';

export function traceOutbound(outbound: Outbound, tracer: Tracer | null): Outbound {
  if (tracer === null) return outbound;
  const request: Outbound['request'] = async (method, url, content = {}) => {
    const kind = content.kind ?? 'other';
    const span = tracer.open(`${method} ${kind}`, 'client', tracer.current());
    const answer = await tracer.within(span.context, () => outbound.request(method, url, content));
    const host = URL.canParse(url) ? new URL(url).host : '';
    const sent = { 'http.request.method': method, 'server.address': host, 'tributary.request.kind': kind };
    span.end({ attributes: { ...sent, ...describeAnswer(answer) }, isError: !answer.ok || answer.status >= 400 });
    return answer;
  };
  return { ...outbound, request, post: (url, content) => request('POST', url, content) };
}

function describeAnswer(answer: OutboundAnswer): Record<string, string | number> {
  if (!answer.ok) return { 'error.type': answer.reason };
  return { 'http.response.status_code': answer.status };
}
