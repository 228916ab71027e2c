/** The value of `--name=VALUE`. */
export function readOption(options: readonly string[], name: string): string | undefined {
  const prefix = `--${name}=`;
  return options.find((option) => option.startsWith(prefix))?.slice(prefix.length);
}

/** For a child whose CPU profile `--profile=FOLDER` asks for: Node writes it when the child ends. */
export function readProfileFlags(options: readonly string[]): string[] {
  const folder = readOption(options, 'profile');
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}
