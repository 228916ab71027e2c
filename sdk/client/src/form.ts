import type { Forms, OPERATIONS } from './operations.gen.ts';

/** The format of requests and responses; docs/clients.md says how they differ. */
export type Form = 1 | 2;

export type OperationId = keyof typeof OPERATIONS;
export type Query<F extends Form, O extends OperationId> = Forms[F][O]['query'];
export type Body<F extends Form, O extends OperationId> = Forms[F][O]['body'];
/** What a call returns: the JSON of the response as it is. */
export type Reply<F extends Form, O extends OperationId> = Forms[F][O]['reply'];
/** An element of a list. */
export type Item<F extends Form, O extends OperationId> = Reply<F, O> extends { data: Array<infer I> } ? I : never;
