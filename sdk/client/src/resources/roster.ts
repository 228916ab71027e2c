import type { CallOptions } from '../caller.ts';
import type { Body, Form } from '../form.ts';
import { type ReadArguments, Resource } from './resource.ts';

/** The people who share their data with a team; live keys only. */
export class Roster<F extends Form> extends Resource<F> {
  invite(body: Body<F, 'inviteMember'>, options?: CallOptions) {
    return this.write('inviteMember', [], body, options);
  }

  getInvitation(invitationId: string, options?: CallOptions) {
    return this.act('getInvitation', [invitationId], options);
  }

  revokeInvitation(invitationId: string, options?: CallOptions) {
    return this.act('revokeInvitation', [invitationId], options);
  }

  /** One page of members. */
  list(...args: ReadArguments<F, 'listMembers'>) {
    return this.read('listMembers', [], args);
  }

  iterate(...args: ReadArguments<F, 'listMembers'>) {
    return this.walk('listMembers', [], args);
  }

  get(memberId: string, options?: CallOptions) {
    return this.act('getMember', [memberId], options);
  }

  update(memberId: string, body: Body<F, 'updateMember'>, options?: CallOptions) {
    return this.write('updateMember', [memberId], body, options);
  }

  remove(memberId: string, options?: CallOptions) {
    return this.act('removeMember', [memberId], options);
  }
}
