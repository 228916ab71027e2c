// What a check of a block gets besides the block.
import type { TestService } from '../../support/test-service.ts';
import type { Block } from './read-blocks.ts';

export type CheckContext = {
  readonly service: TestService;
  /** Of the proxy that notes requests without a form. */
  readonly url: string;
  /** A sandbox user with generated data. */
  readonly userId: string;
  /** Empty, for files of this check. */
  readonly folder: string;
};

export type Check = (block: Block, context: CheckContext) => void | Promise<void>;
