// A person's own page, by the link in every mail. Opening it changes nothing; its forms are safe by the token in their path.
import type { PersonId } from '../../domain/roster.ts';
import { servicesOfAccount } from '../../platform/http/account-services.ts';
import type { RawReply, RawRequest, StreamedReply } from '../../platform/http/raw-exchange.ts';
import type { RawRoute } from '../../platform/http/raw-route.ts';
import { readForm } from '../../platform/pages/read-form.ts';
import type { Services } from '../../platform/services.ts';
import { hasPerson, listInviters, listShares, OWN_PAGE_PATH, readOwnPageToken } from '../memberships/index.ts';
import { type ExportRequest, exportPerson, limitExport } from '../personal-export/index.ts';
import { eraseOwnData, stopSharing } from './change-own-data.ts';
import { busyPage, confirmErasurePage, overviewPage, undecidedPage, unknownPersonPage } from './own-pages.ts';

const FORM_BYTES = 4_096;
const page = {
  path: `${OWN_PAGE_PATH}/:token`,
  maxBodyBytes: FORM_BYTES,
  isRateLimited: true,
  isForPeople: true,
};

export const ownPageRoutes: readonly RawRoute[] = [
  { ...page, methods: ['GET'], handle: withPerson((services, _request, person) => showOverview(services, person)) },
  { ...page, methods: ['POST'], handle: withPerson(decide) },
];

function withPerson(
  handle: (services: Services, request: RawRequest, person: PersonId) => Promise<RawReply | StreamedReply>,
): RawRoute['handle'] {
  return async (services, request) => {
    const person = readOwnPageToken(services, request.params.token ?? '');
    if (person === null || !(await hasPerson(services.db, person))) return unknownPersonPage();
    return handle(services, request, person);
  };
}

async function showOverview(services: Services, person: PersonId, notice: string | null = null): Promise<RawReply> {
  const shares = await listShares(services.db, person);
  const inviters = await listInviters(services.db, person, services.clock.now());
  return overviewPage({ shares, inviters, notice });
}

async function decide(services: Services, request: RawRequest, person: PersonId): Promise<RawReply | StreamedReply> {
  const form = readForm(request);
  const shares = await listShares(services.db, person);
  const hasRaw = form.get('raw') === 'true';
  if (form.get('decision') === 'export_all') return sendExport(services, { person, shares, hasRaw });
  const share = shares.find(({ memberId }) => memberId === form.get('member'));
  if (!share) return undecidedPage();
  switch (form.get('decision')) {
    case 'stop':
      await stopSharing(services, share);
      return showOverview(services, person, `You no longer share with ${share.organization}.`);
    case 'export':
      return sendExport(services, { person, shares: [share], hasRaw });
    case 'erase':
      return confirmErasurePage(share);
    case 'erase_for_good':
      await eraseOwnData(services, share);
      return showOverview(services, person, `Your data at ${share.organization} is being erased.`);
    case 'keep':
      return showOverview(services, person);
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
