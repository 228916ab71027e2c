// The routes of the privacy portal, opened with the link in every mail. GET changes nothing; the secret token in the path
// protects the forms.
import { type PersonId, portalLinkStatusAt } from '../../../domain/roster.ts';
import { servicesOfAccount } from '../../../platform/http/account-services.ts';
import type { RawReply, RawRequest, StreamedReply } from '../../../platform/http/raw-exchange.ts';
import type { RawRoute } from '../../../platform/http/raw-route.ts';
import { readForm } from '../../../platform/pages/read-form.ts';
import type { Services } from '../../../platform/services.ts';
import {
  listInviters,
  listShares,
  type Person,
  PORTAL_PATH,
  readPerson,
  readPortalToken,
} from '../memberships/index.ts';
import { type ExportRequest, exportPerson, limitExport } from '../personal-export/index.ts';
import { replacePortalLinks, requestPortalLink } from '../roster/index.ts';
import { eraseOwnData, stopSharing } from './change-own-data.ts';
import {
  busyPage,
  confirmErasurePage,
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
  servesPages: true,
} as const;

export const portalRoutes: readonly RawRoute[] = [
  { ...page, methods: ['GET'], handle: withPerson((services, _request, { id }) => showOverview(services, id)) },
  { ...page, methods: ['POST'], handle: withPerson(decide) },
];

function withPerson(
  handle: (services: Services, request: RawRequest, person: Person) => Promise<RawReply | StreamedReply>,
): RawRoute['handle'] {
  return async (services, request) => {
    const link = readPortalToken(services, request.params.token ?? '');
    const person = link && (await readPerson(services.db, link.personId));
    if (!person) return unknownPersonPage();
    const status = portalLinkStatusAt(link, person.linkVersion, services.clock.now());
    if (status === 'valid') return handle(services, request, person);
    return isLinkRequest(request) ? sendNewLink(services, person.id) : endedLinkPage(status);
  };
}

function isLinkRequest(request: RawRequest): boolean {
  return request.method === 'POST' && readForm(request).get('decision') === 'send_link';
}

async function sendNewLink(
  services: Pick<Services, 'clock' | 'db' | 'jobs' | 'mailer' | 'portalTokens' | 'print' | 'settings'>,
  person: PersonId,
): Promise<RawReply> {
  const request = await requestPortalLink(services, person);
  switch (request.outcome) {
    case 'sent':
      return linkSentPage();
    case 'too_many':
      return tooManyLinksPage(request.waitMs);
    case 'unknown':
      return unknownPersonPage();
  }
}

async function showOverview(
  services: Pick<Services, 'clock' | 'db'>,
  person: PersonId,
  message: string | null = null,
): Promise<RawReply> {
  const shares = await listShares(services.db, person);
  const inviters = await listInviters(services.db, person, services.clock.now());
  return overviewPage({ shares, inviters, message });
}

async function decide(services: Services, request: RawRequest, person: Person): Promise<RawReply | StreamedReply> {
  const { id } = person;
  const form = readForm(request);
  if (form.get('decision') === 'replace_link') {
    await replacePortalLinks(services, person);
    return linkReplacedPage();
  }
  const shares = await listShares(services.db, id);
  const hasRaw = form.get('raw') === 'true';
  if (form.get('decision') === 'export_all') return sendExport(services, { person: id, shares, hasRaw });
  const share = shares.find(({ memberId }) => memberId === form.get('member'));
  if (!share) return undecidedPage();
  switch (form.get('decision')) {
    case 'stop':
      await stopSharing(services, share);
      return showOverview(services, id, `You no longer share your health data with ${share.organization}.`);
    case 'export':
      return sendExport(services, { person: id, shares: [share], hasRaw });
    case 'erase':
      return confirmErasurePage(share);
    case 'erase_for_good':
      await eraseOwnData(services, share);
      return showOverview(services, id, `Your data at ${share.organization} is being erased.`);
    case 'keep':
      return showOverview(services, id);
    default:
      return undecidedPage();
  }
}

function sendExport(services: Services, request: ExportRequest): RawReply | StreamedReply {
  const body = limitExport(request.person, () => exportPerson(servicesOfAccount(services, request.person), request));
  if (typeof body === 'string') return busyPage(body);
  return {
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="health-data.json"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body,
  };
}
