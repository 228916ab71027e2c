import { ago, until } from '../../shared/time/format-time.ts';
import type { Row } from './roster-rows.ts';
import type { View } from './view.ts';

export const words = {
  title: 'Roster',
  note: 'People you invited by mail to share their health data. They decide, and can stop sharing at any time.',
  liveOnly: 'The sandbox has no roster',
  liveAdvice:
    'Invitations go to real people by mail, so they exist only in the live environment. Sandbox users are invented.',
  toLive: 'Go to the live roster',
  notLoaded: 'The roster could not be loaded.',
  views: {
    all: 'Everybody',
    invited: 'Invited',
    sharing: 'Sharing',
    archived: 'Archived',
    ended: 'Ended',
  } satisfies Record<View, string>,
  filter: 'Filter',
  person: 'Person',
  reference: 'Reference',
  state: 'State',
  when: 'Since',
  actions: 'Actions',
  actionsOf: (who: string) => `Actions for ${who}`,
  stateText: ({ state, expiresAt }: Row, nowMs: number): string => {
    if (state === 'pending') return `invited, expires ${until(expiresAt ?? nowMs, nowMs)}`;
    if (state === 'expired') return 'did not answer in time';
    return { revoked: 'declined or revoked', active: 'shares data', archived: 'archived, still shares' }[state];
  },
  whenText: ({ at, state }: Row, nowMs: number) =>
    `${state === 'active' || state === 'archived' ? 'joined' : 'invited'} ${ago(at, nowMs)}`,
  emptyTitle: 'Nobody is invited yet',
  empty:
    'Invite a person by mail. After accepting, they connect their devices, and a live user appears here and in Users.',
  noneInView: 'Nobody in this list',
  invite: 'Invite',
  inviteTitle: 'Invite a person',
  email: 'Email',
  name: 'Name',
  nameHint: 'How the mail greets the person. Optional.',
  referenceHint: 'Your own id for this person; optional.',
  message: 'Message',
  messageHint: 'Shown in the mail and on the invitation page. Optional.',
  preview: 'The mail',
  previewFailed: 'The preview could not be loaded.',
  from: 'From',
  to: 'To',
  subject: 'Subject',
  anybody: 'the person you invite',
  noMail:
    'This deployment has no mail server. The service prints the invitation link on its standard output; an operator has to pass it on.',
  send: 'Send the invitation',
  sent: (email: string) => `${email} is invited. The invitation is valid for 14 days.`,
  done: 'Done',
  another: 'Invite another',
  revoke: 'Revoke',
  openUser: 'Open the user',
  archive: 'Archive',
  reactivate: 'Reactivate',
  remove: 'Remove…',
  removeTitle: (who: string) => `Remove ${who}?`,
  removeNote:
    'You can no longer see the data of this person, and their tokens end at once. The person keeps the data, and accepting a new invitation brings it back.',
  removeGo: 'Remove',
  viewersCannot: 'Your role may look at the roster. Developers can invite and remove people.',
};
