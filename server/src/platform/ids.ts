// New IDs: UUIDv7, so that they sort by creation time.
import { uuidv7 } from 'uuidv7';

export function newId<Id extends string>(): Id {
  return uuidv7() as Id;
}
