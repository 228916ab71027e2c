export const words = {
  signIn: 'Sign in',
  email: 'Email',
  password: 'Password',
  code: 'Code',
  codeHint: 'Six digits of your authenticator app, or one of your recovery codes.',
};
