// The error codes of status 409: the request is valid, but what is stored does not allow it.

export const CONFLICT_CODES = {
  account_changed: {
    status: 409,
    message: 'Another account was opened in this browser. Reload the page.',
    when: 'a dashboard page still shows an account (header X-Tributary-Account) that the session has left; nothing is changed',
  },
  device_not_syncable: {
    status: 409,
    message: 'Only an active cloud device can be synced on request.',
    when: 'the device is a source on a phone, or it is not active (details.status)',
  },
  device_limit: {
    status: 409,
    message: 'Device limit reached for this user. Disconnect a device first.',
    when: 'a new connection or the first upload of a source would exceed details.limit active and pending devices; nothing is stored',
  },
  session_limit: {
    status: 409,
    message: 'SDK session limit reached for this user. Revoke a session first.',
    when: 'a session for another installation would exceed details.limit',
  },
  reference_taken: {
    status: 409,
    message: 'Another user in this environment has this reference. Use that user, or choose another reference.',
    when: 'another user has the reference_id or external_ref of a new or updated user; details.user_id is that user',
  },
  already_invited: {
    status: 409,
    message: 'An invitation to this address is already pending. Revoke it before you send another one.',
    when: 'the address, ignoring case, has a pending invitation (details.invitation_id)',
  },
  already_member: {
    status: 409,
    message: 'A member with this address already exists. Use that member.',
    when: 'inviting the address of a member, archived or not (details.member_id)',
  },
  last_owner: {
    status: 409,
    message: 'An account needs an owner. Make another member an owner first.',
    when: 'removing the last owner of an account or changing their role',
  },
  reset_by_operator: {
    status: 409,
    message: 'This member also belongs to other accounts. Ask the operator of this service for a reset link.',
    when: 'an owner resets the password of an operator or of a member of several accounts, and no mail server is configured',
  },
  member_limit: {
    status: 409,
    message: 'Member limit reached for this account. Remove a member or an invitation first.',
    when: 'the account has details.limit members and invitations',
  },
  totp_not_started: {
    status: 409,
    message: 'No authenticator app is waiting for confirmation. Start again.',
    when: 'confirming an authenticator app that was not set up, or was confirmed already',
  },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used with a different body. Use a new key.',
    when: 'the same key was used within 24 hours with a different body',
  },
  upload_conflict: {
    status: 409,
    message: 'This upload_id was used with a different body. Use a new upload_id.',
    when: 'an upload_id is sent again with a different body',
  },
  bundle_of_another_user: {
    status: 409,
    message: 'The bundle comes from a user with another reference. Import it into that user, or confirm its reference.',
    when: 'importing a bundle whose user has neither the id nor the reference of the target user (details.bundle_reference_id, details.reference_id)',
  },
  bundle_of_another_environment: {
    status: 409,
    message:
      'The bundle comes from the other environment. Import it into a user of the environment that it was exported from.',
    when: 'importing a bundle from the sandbox into a live user, or vice versa',
  },
  webhook_disabled: {
    status: 409,
    message: 'The webhook is disabled. Enable it first.',
    when: 'testing or retrying a webhook that is paused or disabled (details.disabled_reason)',
  },
  too_many_webhooks: {
    status: 409,
    message: 'Webhook limit reached for this environment. Delete a webhook first.',
    when: 'the environment has details.limit webhooks',
  },
  master_key_conflict: {
    status: 409,
    message: 'The master key cannot be rotated now.',
    when: 'the new key was used before, another key is still in use (details.in_use), or the service runs with a key that was replaced',
  },
  import_in_progress: {
    status: 409,
    message: 'Another import for this account is running. Wait until it has finished, or cancel it.',
    when: 'a file is imported while another import of the account is running',
  },
  name_taken: {
    status: 409,
    message: 'This name is taken. Choose another name.',
    when: 'another account, or another key of the environment, has this name',
  },
  key_limit: {
    status: 409,
    message: 'API key limit reached for this environment. Revoke a key that you no longer use.',
    when: 'the environment has details.limit keys',
  },
  key_ended: {
    status: 409,
    message: 'This key was revoked or replaced. Use the key that replaced it, or create a new one.',
    when: 'rotating or renaming a key that was revoked or replaced (details.ends_at, details.replaced_by)',
  },
} as const;
