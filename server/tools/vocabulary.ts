// Words that this project does not use, with what to write instead. House words cost every newcomer a definition, and a word with
// several meanings costs everybody.

export type BannedWord = {
  /** In lower case; a phrase has spaces. Forms of a word are listed each. */
  readonly words: readonly string[];
  readonly instead: string;
  /** Phrases of others that contain the word. */
  readonly except?: readonly string[];
};

/** Not written anywhere: identifiers, file names, comments, texts, SQL, docs. */
export const BANNED_WORDS: readonly BannedWord[] = [
  { words: ['errand', 'errands'], instead: 'sync task, or authorization state' },
  { words: ['told', 'tell', 'tells', 'retold'], instead: 'reported (by a device), emit (an event), derived from' },
  { words: ['harvest', 'harvests', 'harvested', 'reap', 'reaps'], instead: 'fetched page, map page' },
  { words: ['notices'], instead: 'provider webhooks' },
  { words: ['trouble', 'troubles'], instead: 'failure' },
  { words: ['quiet'], instead: 'backoff, or in flight' },
  { words: ['lane'], instead: 'endpoint queue' },
  { words: ['crowd', 'crowds', 'crowded'], instead: 'batch' },
  { words: ['stencil', 'stencils'], instead: 'template' },
  { words: ['door', 'doors'], instead: 'auth, or the name of the route' },
  { words: ['desk', 'desks'], instead: 'simulated provider' },
  { words: ['book', 'books'], instead: 'buffer, or store' },
  { words: ['rehearse', 'rehearses', 'rehearsed'], instead: 'dry run' },
  { words: ['set aside', 'sets aside'], instead: 'parked' },
  { words: ['left out', 'leaves out', 'leave out'], instead: 'skipped, dropped' },
  { words: ['sealed box'], instead: 'secret envelope' },
  { words: ['heart limits'], instead: 'heart-rate range' },
  { words: ['heart peaks'], instead: 'observed maximum' },
  { words: ['so many a'], instead: 'a limited number per' },
];

/**
 * Not part of an identifier; in a sentence they are ordinary English. Three words of the vocabulary cannot be found by their form:
 * place is mostly the verb, DNS and readline have questions, and the flights of the sandbox have landings.
 */
export const BANNED_IN_NAMES: readonly BannedWord[] = [
  { words: ['turn', 'turns'], instead: 'sync run, version, mutex, yield: seven meanings are six too many' },
  { words: ['notice', 'noticed'], instead: 'provider webhook', except: ['suppress update notice'] },
  { words: ['cleared'], instead: 'reconcile, or removed' },
  { words: ['loose', 'patient'], instead: 'asynchronous commit, no statement timeout' },
];
