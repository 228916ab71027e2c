// A process of the group. Only the rate limits are raised, so that the limiter checks every request and rejects none.
import { appendFileSync } from 'node:fs';
import { serveMember } from '../../src/cli/serve-member.ts';
import { POLICIES } from '../support/bench-service.ts';
import { createBenchTerminal } from './bench-terminal.ts';

const { BENCH_OUTPUT = '' } = process.env;
const { terminal } = createBenchTerminal(process.env, (text) => appendFileSync(BENCH_OUTPUT, text));
await serveMember(terminal, POLICIES);
