export const words = {
  title: 'Keys',
  note: 'Your backend calls the API with a key. A key belongs to one environment.',
  notLoaded: 'The keys could not be loaded.',
  ends: 'Expires',
  lastUsed: 'Last used',
  requests: 'Requests in 24 h',
  never: 'never',
};
