/** What stands for a provider where the service itself computed the value; then there is no device. */
export const COMPUTED_PROVIDER = 'tributary';
