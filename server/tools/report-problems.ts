// How every repository check tells what it found: a line per problem, exit code 1 when there is any.

/** `line` is 0 where a line would say nothing. */
export type Problem = { file: string; line: number; rule: string; message: string };

export function reportProblems(problems: readonly Problem[], prefix = ''): void {
  for (const { file, line, rule, message } of problems) {
    process.stdout.write(`${prefix}${file}${line > 0 ? `:${line}` : ''}  ${rule}: ${message}\n`);
  }
  if (problems.length > 0) process.exitCode = 1;
}
