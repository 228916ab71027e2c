// Fresh identifiers: UUIDv7, so that ids sort by the time they were made.
import { uuidv7 } from 'uuidv7';

export function newId<Id extends string>(): Id {
  return uuidv7() as Id;
}
