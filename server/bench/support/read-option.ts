/** The value of `--name=VALUE`. */
export function readOption(options: readonly string[], name: string): string | undefined {
  const prefix = `--${name}=`;
  return options.find((option) => option.startsWith(prefix))?.slice(prefix.length);
}
