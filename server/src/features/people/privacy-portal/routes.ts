// The routes of the privacy portal, opened with the link in every mail. GET changes nothing; the secret token in the path
// protects the forms.
import { type PersonId, portalLinkStatusAt } from '../../../domain/roster.ts';
import { limitConnections } from '../../../platform/db/account-database.ts';
import { addressBucket } from '../../../platform/http/rate-limit.ts';
import type { RawReply, RawRequest, StreamedReply } from '../../../platform/http/raw-exchange.ts';
import type { RawRoute } from '../../../platform/http/raw-route.ts';
import { createPageContext, type PageContext, readLanguage } from '../../../platform/pages/page-context.ts';
import { readForm } from '../../../platform/pages/read-form.ts';
import type { Services } from '../../../platform/services.ts';
import { addOwnAct, type OwnCall } from '../../tenancy/audit-trail/index.ts';
import {
  listInviters,
  listRosterMemberships,
  PORTAL_PATH,
  type RosterMembership,
  type RosterPerson,
  readPerson,
  readPortalToken,
} from '../memberships/index.ts';
import type { ExportRequest, ExportServices } from '../personal-export/index.ts';
import { type MailServices, replacePortalLinks, requestPortalLink } from '../roster/index.ts';
import { eraseOwnData, resumeSharing, stopSharing } from './change-own-data.ts';
import {
  busyPage,
  confirmErasurePage,
  confirmStopPage,
  endedLinkPage,
  linkReplacedPage,
  linkSentPage,
  overviewPage,
  tooManyLinksPage,
  undecidedPage,
  unknownPersonPage,
} from './portal-pages.ts';

const FORM_BYTES = 4_096;
const page = {
  path: `${PORTAL_PATH}/:token`,
  params: { token: 'secret' },
  maxBodyBytes: FORM_BYTES,
  isRateLimited: true,
  showsHealthData: true,
  servesPages: true,
} as const;

export const portalRoutes: readonly RawRoute[] = [
  { ...page, methods: ['GET'], handle: withPerson((services, visit) => showOverview(services, visit)) },
  { ...page, methods: ['POST'], handle: withPerson(decide) },
];

/** Of every decision that a person can make there. */
type PortalServices = ExportServices & MailServices & Pick<Services, 'auditTrail' | 'tombstones' | 'userMutex'>;
type PortalVisit = { readonly request: RawRequest; readonly context: PageContext; readonly person: RosterPerson };

function withPerson(
  handle: (services: PortalServices, visit: PortalVisit) => Promise<RawReply | StreamedReply>,
): RawRoute['handle'] {
  return async (services, request) => {
    const link = readPortalToken(services, request.params.token ?? '');
    const person = link && (await readPerson(services.db, link.personId));
    const context = createPageContext(readLanguage(request));
    if (!person) return unknownPersonPage(context);
    const status = portalLinkStatusAt(link, person.linkVersion, services.clock.now());
    if (status === 'valid') return handle(services, { request, context, person });
    return isLinkRequest(request) ? sendNewLink(services, person.id, context) : endedLinkPage(context, status);
  };
}

function isLinkRequest(request: RawRequest): boolean {
  return request.method === 'POST' && readForm(request).get('decision') === 'send_link';
}

async function sendNewLink(
  services: Pick<Services, 'clock' | 'db' | 'jobs' | 'mailer' | 'portalTokens' | 'print' | 'settings'>,
  person: PersonId,
  context: PageContext,
): Promise<RawReply> {
  const request = await requestPortalLink(services, person);
  switch (request.outcome) {
    case 'sent':
      return linkSentPage(context);
    case 'too_many':
      return tooManyLinksPage(context, request.waitMs);
    case 'unknown':
      return unknownPersonPage(context);
  }
}

async function showOverview(
  services: Pick<Services, 'auditTrail' | 'clock' | 'db'>,
  visit: PortalVisit,
  message: string | null = null,
): Promise<RawReply> {
  const { context, person } = visit;
  const memberships = await listRosterMemberships(services.db, person.id);
  for (const membership of memberships) services.auditTrail.recordOwnRead(callOf(visit, membership), 'portal');
  const inviters = await listInviters(services.db, person.id, services.clock.now());
  return overviewPage(context, { memberships, inviters, message });
}

function callOf({ request }: PortalVisit, { tenant, userId }: Pick<RosterMembership, 'tenant' | 'userId'>): OwnCall {
  return { tenant, userId, via: 'portal', requestId: request.requestId ?? null };
}

async function decide(services: PortalServices, visit: PortalVisit): Promise<RawReply | StreamedReply> {
  const { request, context, person } = visit;
  const form = readForm(request);
  const decision = form.get('decision');
  const memberships = await listRosterMemberships(services.db, person.id);
  if (decision === 'replace_link') {
    await replacePortalLinks(services, person, async (tx, act) => {
      for (const membership of memberships) await addOwnAct(tx, callOf(visit, membership), act);
    });
    return linkReplacedPage(context);
  }
  if (decision === 'export_all') return sendExport(services, visit, memberships);
  const membership = memberships.find(({ memberId }) => memberId === form.get('member'));
  if (!membership) return undecidedPage(context);
  const names = { account: membership.organization };
  const call = { ...callOf(visit, membership), memberId: membership.memberId };
  switch (decision) {
    case 'stop':
      return confirmStopPage(context, membership);
    case 'stop_now':
      await stopSharing(services, call);
      return showOverview(services, visit, context.t('portal.stopped', names));
    case 'resume': {
      const isShared = await resumeSharing(services, person.id, call);
      return showOverview(services, visit, context.t(isShared ? 'portal.resumed' : 'portal.not_resumed', names));
    }
    case 'export':
      return sendExport(services, visit, [membership]);
    case 'erase':
      return confirmErasurePage(context, membership);
    case 'erase_for_good':
      await eraseOwnData(services, call);
      return showOverview(services, visit, context.t('portal.erasing', names));
    case 'keep':
      return showOverview(services, visit);
    default:
      return undecidedPage(context);
  }
}

async function sendExport(
  services: ExportServices & Pick<Services, 'auditTrail'>,
  visit: PortalVisit,
  memberships: ExportRequest['memberships'],
): Promise<RawReply | StreamedReply> {
  const { exportCsv, exportPerson, findCsvKind, limitExport } = await import('../personal-export/index.ts'); // seldom used
  const { request, context, person } = visit;
  const form = readForm(request);
  const table = findCsvKind(form.get('format'));
  const wanted: ExportRequest = { person: person.id, memberships, hasRaw: form.get('raw') === 'true' };
  const own = { ...services, db: limitConnections(services.db, services.shares, person.id) };
  const held = limitExport(
    { person: person.id, address: addressBucket(request.clientAddress), hasRaw: wanted.hasRaw && table === null },
    () => (table === null ? exportPerson(own, wanted) : exportCsv(own, wanted, table)),
  );
  if (typeof held === 'string') return busyPage(context, held);
  for (const membership of memberships) services.auditTrail.recordOwnRead(callOf(visit, membership), 'export');
  return {
    status: 200,
    headers: {
      'content-type': table === null ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="health-data${table === null ? '.json' : `-${table}.csv`}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    ...held,
  };
}
