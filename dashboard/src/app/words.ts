export const words = {
  password: 'Password',
  code: 'Code',
  codeHint: 'Six digits from your authenticator app, or one of your recovery codes.',
  confirm: 'Enter your password',
  confirmNote: 'This needs your password, because you entered it more than ten minutes ago.',
  confirmGo: 'Confirm',
  locked: 'Locked',
  lockedNote: (name: string) =>
    `Nothing happened for 15 minutes, so the page was locked to protect health data. You are signed in as ${name}.`,
  unlock: 'Unlock',
  signOut: 'Sign out',
};
