// Prints the problems of a repository check, one line each, and exits with 1 if there are any.

/** `line` is 0 where a line number does not apply. */
export type Problem = { file: string; line: number; rule: string; message: string };

export function reportProblems(problems: readonly Problem[], prefix = ''): void {
  for (const { file, line, rule, message } of problems) {
    process.stdout.write(`${prefix}${file}${line > 0 ? `:${line}` : ''}  ${rule}: ${message}\n`);
  }
  if (problems.length > 0) process.exitCode = 1;
}
