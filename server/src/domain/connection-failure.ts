// Why a device is not connected. Reported on the redirect back, on the device and in its event.

/** `revoked`: of a device that was connected and whose tokens the provider no longer accepts. */
export const CONNECTION_FAILURES = ['declined', 'provider_error', 'expired', 'nothing_shared', 'revoked'] as const;
export type ConnectionFailure = (typeof CONNECTION_FAILURES)[number];
