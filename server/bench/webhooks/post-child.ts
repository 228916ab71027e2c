// The lower bound for the same bodies: a POST loop with undici over as many connections as the service has.
import { Pool } from 'undici';
import { answerParent } from '../support/bench-child.ts';

const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'bare',
  'webhook-id': '0190a000-0000-7000-8000-000000000000',
  'webhook-timestamp': '1772355600',
  'webhook-signature': `v1,${'A'.repeat(44)}`,
};

let pool: Pool | undefined;

answerParent({
  async run(load: { port: number; bodies: string[]; endpoints: number; connections: number }): Promise<number> {
    pool ??= new Pool(`http://127.0.0.1:${load.port}`, { connections: load.connections });
    const { bodies, endpoints } = load;
    const count = bodies.length * endpoints;
    let next = 0;
    const startMs = performance.now();
    const post = async () => {
      for (let index = next++; index < count; index = next++) {
        const path = `/${index % endpoints}`;
        const body = bodies[Math.floor(index / endpoints)] ?? '';
        const answer = await pool?.request({ path, method: 'POST', headers: HEADERS, body });
        await answer?.body.dump();
      }
    };
    await Promise.all(Array.from({ length: load.connections }, post));
    return count / ((performance.now() - startMs) / 1000);
  },
});
