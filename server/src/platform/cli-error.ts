// An error whose message tells a person what is wrong and what to do. Printed without a stack; any other one is a defect.

export class CliError extends Error {}
