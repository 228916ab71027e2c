// An error whose message says what is wrong and what to do. The command line prints it without a stack.

export class CliError extends Error {}
