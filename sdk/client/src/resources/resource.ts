import type { Caller, CallOptions } from '../caller.ts';
import type { Body, Form, Item, OperationId, Query, Reply } from '../form.ts';
import { iterate, type Position } from '../iterate.ts';

/** A query is required only where one of its parameters is. */
export type ReadArguments<F extends Form, O extends OperationId> =
  Query<F, O> extends undefined
    ? [query?: undefined, options?: CallOptions]
    : Record<string, never> extends Query<F, O>
      ? [query?: Query<F, O>, options?: CallOptions]
      : [query: Query<F, O>, options?: CallOptions];

/** Calls of one group. */
export class Resource<F extends Form> {
  protected readonly caller: Caller<F>;

  constructor(caller: Caller<F>) {
    this.caller = caller;
  }

  protected read<O extends OperationId>(
    operation: O,
    path: readonly string[],
    args: readonly unknown[],
  ): Promise<Reply<F, O>> {
    const [query, options] = args as [Query<F, O> | undefined, CallOptions | undefined];
    return this.caller.call(operation, { path, query }, options);
  }

  protected walk<O extends OperationId>(
    operation: O,
    path: readonly string[],
    args: readonly unknown[],
  ): AsyncGenerator<Item<F, O>, void, undefined> {
    const [query, options] = args as [object | undefined, CallOptions | undefined];
    const read = (position: Position) =>
      this.caller.call(operation, { path, query: { ...query, ...position } as Query<F, O> }, options);
    return iterate<Item<F, O>>(read);
  }

  protected write<O extends OperationId>(
    operation: O,
    path: readonly string[],
    body: Body<F, O>,
    options: CallOptions | undefined,
  ): Promise<Reply<F, O>> {
    return this.caller.call(operation, { path, body }, options);
  }

  protected act<O extends OperationId>(
    operation: O,
    path: readonly string[],
    options: CallOptions | undefined,
  ): Promise<Reply<F, O>> {
    return this.caller.call(operation, { path }, options);
  }
}
