import type { CallOptions } from '../caller.ts';
import type { ExportStream } from '../export-stream.ts';
import type { Body, Form, Query, Reply } from '../form.ts';
import { type ReadArguments, Resource } from './resource.ts';

export class Users<F extends Form> extends Resource<F> {
  /** Not sent again after a lost response. The error `ReferenceTakenError` then has `details.user_id`. */
  create(body: Body<F, 'createUser'>, options?: CallOptions) {
    return this.write('createUser', [], body, options);
  }

  /** One page, newest first. */
  list(...args: ReadArguments<F, 'listUsers'>) {
    return this.read('listUsers', [], args);
  }

  /** All users, newest first. */
  iterate(...args: ReadArguments<F, 'listUsers'>) {
    return this.walk('listUsers', [], args);
  }

  get(userId: string, options?: CallOptions) {
    return this.act('getUser', [userId], options);
  }

  /** What the terms of connected providers forbid for the user's data. A user token finds it in the list of devices. */
  restrictions(userId: string, options?: CallOptions) {
    return this.act('listRestrictions', [userId], options);
  }

  /**
   * The data of a user as one file. Resolves when its first bytes have arrived; only until then it is sent again. If the file breaks
   * off, the stream fails with a `ConnectionError`.
   */
  export(userId: string, query: Query<F, 'exportUser'>, options?: CallOptions): Promise<ExportStream> {
    return this.caller.stream('exportUser', { path: [userId], query }, options);
  }

  update(userId: string, body: Body<F, 'updateUser'>, options?: CallOptions) {
    return this.write('updateUser', [userId], body, options);
  }

  /** Erases the user and all data. */
  delete(userId: string, options?: CallOptions): Promise<Reply<F, 'deleteUser'>> {
    const deletion = { id: userId, status: 'deleting' };
    const whenGone = this.caller.form === 1 ? { data: deletion } : deletion;
    return this.caller.call('deleteUser', { path: [userId], whenGone }, options);
  }
}

export class Devices<F extends Form> extends Resource<F> {
  list(userId: string, options?: CallOptions) {
    return this.act('listDevices', [userId], options);
  }

  /** Creates a link to the connect page. */
  connect(userId: string, body: Body<F, 'connectDevice'>, options?: CallOptions) {
    return this.write('connectDevice', [userId], body, options);
  }

  /** Ends the access and deletes the data of the device. */
  disconnect(userId: string, deviceId: string, options?: CallOptions) {
    return this.act('disconnectDevice', [userId, deviceId], options);
  }

  /** Fetches new data from the provider now. */
  sync(userId: string, deviceId: string, options?: CallOptions) {
    return this.act('syncDevice', [userId, deviceId], options);
  }

  /** Fetches the whole history again. `device.backfilled` follows. */
  syncHistory(userId: string, deviceId: string, options?: CallOptions): Promise<Reply<F, 'syncDevice'>> {
    return this.caller.call('syncDevice', { path: [userId, deviceId], query: { history: true } }, options);
  }
}

type Preview<F extends Form> = Extract<Reply<F, 'changeConsolidation'>, { days_changed: number }>;
type Change<F extends Form> = Exclude<Reply<F, 'changeConsolidation'>, { days_changed: number }>;

export class Consolidation<F extends Form> extends Resource<F> {
  catalog(options?: CallOptions) {
    return this.act('getConsolidationCatalog', [], options);
  }

  get(userId: string, options?: CallOptions) {
    return this.act('getConsolidation', [userId], options);
  }

  async update(userId: string, body: Body<F, 'changeConsolidation'>, options?: CallOptions): Promise<Change<F>> {
    return (await this.write('changeConsolidation', [userId], body, options)) as Change<F>;
  }

  /** What an update would change; stores nothing. */
  async preview(
    userId: string,
    body: Body<F, 'changeConsolidation'>,
    query: { readonly scores?: boolean } = {},
    options?: CallOptions,
  ): Promise<Preview<F>> {
    const input = { path: [userId], body, query: { ...query, preview: true } };
    return (await this.caller.call('changeConsolidation', input, options)) as Preview<F>;
  }

  /** Restores the defaults. */
  reset(userId: string, options?: CallOptions) {
    return this.act('resetConsolidation', [userId], options);
  }
}
