// When what a test has opened is closed: at the end of the test (`t`), or of the whole file (`{ after }` of node:test).
export type Ending = { after(work: () => Promise<void>): void };
