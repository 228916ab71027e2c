// tributary audit verify: recomputes the chain of the audit trail.
import {
  createAuditTrail,
  parseLink,
  presentVerification,
  type VerificationReply,
} from '../features/tenancy/audit-trail/index.ts';
import { systemClock } from '../platform/clock.ts';
import { callOperator } from './operator-client.ts';
import { preferService, withKeys } from './prefer-service.ts';
import { CommandError, printJson, type Terminal } from './terminal.ts';

export type VerifyOptions = { expect?: string; json?: boolean };

/** Exits with 1 if the trail is broken. */
export async function verifyAudit(terminal: Terminal, options: VerifyOptions): Promise<number> {
  const expected = options.expect === undefined ? null : parseLink(options.expect);
  if (options.expect !== undefined && expected === null)
    throw new CommandError('--expect needs POSITION:HASH, as an earlier verification printed it.');
  const body = { expected: options.expect ?? null };
  const found = await preferService(
    () => callOperator<VerificationReply>(terminal, 'POST', '/admin/audit/verify', body),
    () =>
      withKeys(terminal, async ({ db, keyring, log }) => {
        const key = () => keyring.derive('audit trail');
        const trail = createAuditTrail({ db, clock: systemClock, log, key });
        return presentVerification(await trail.verify(expected));
      }),
  );
  if (options.json) printJson(terminal, found);
  else terminal.stdout(describe(found));
  return found.broken === null ? 0 : 1;
}

function describe({ entries, cut, head, broken }: VerificationReply): string {
  const since = cut === 0 ? '' : `, after ${cut} that the retention has removed`;
  if (broken !== null)
    return `BROKEN at entry ${broken.position}: ${broken.reason}. The ${entries} entries before it are intact.\n`;
  return `The audit trail is intact: ${entries} entries${since}.
Keep this line outside of the machine, and pass it to the next verification as --expect:
${head}
`;
}
