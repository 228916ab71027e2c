// tributary audit verify: recomputes the chain of the audit trail.
import {
  createAuditTrail,
  PART_ENTRIES,
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
  const found = await preferService(
    () =>
      verifyInParts((after) =>
        callOperator(terminal, 'POST', '/admin/audit/verify', { expected: options.expect ?? null, after }),
      ),
    () =>
      withKeys(terminal, ({ db, keyring, log }) => {
        const key = () => keyring.derive('audit trail');
        const trail = createAuditTrail({ db, clock: systemClock, log, key });
        return verifyInParts(async (after) =>
          presentVerification(
            await trail.verify({ expected, after: after === null ? null : parseLink(after), limit: PART_ENTRIES }),
          ),
        );
      }),
  );
  if (options.json) printJson(terminal, found);
  else terminal.stdout(describe(found));
  return found.broken === null ? 0 : 1;
}

/** Calls until a part is the last one or broken; the result is that of the whole trail. */
export async function verifyInParts(
  verifyPart: (after: string | null) => Promise<VerificationReply>,
): Promise<VerificationReply> {
  let entries = 0;
  let since: string | null = null;
  let after: string | null = null;
  for (;;) {
    const part = await verifyPart(after);
    entries += part.entries;
    since ??= part.since;
    if (!part.has_more) return { ...part, entries, since };
    after = part.head;
  }
}

function describe({ entries, since, cut, head, broken }: VerificationReply): string {
  const begin = since === null ? '' : ` since ${since}`;
  const removed = cut === 0 ? '' : `, after ${cut} that the retention has removed`;
  if (broken !== null)
    return `BROKEN at entry ${broken.position}: ${broken.reason}. The ${entries} entries before it are intact.\n`;
  return `The audit trail is intact: ${entries} entries${begin}${removed}.
Keep this line outside of the machine, and pass it to the next verification as --expect:
${head}
`;
}
