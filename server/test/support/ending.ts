// Closes a resource at the end of the test (`t`) or of the whole file (`{ after }` of node:test).
export type Ending = { after(work: () => Promise<void>): void };
