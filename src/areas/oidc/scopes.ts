/** What a client can ask for. */

export const knownScopes = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
  'orders',
] as const;

/** Those that mean something without a person. */
export const serviceScopes = ['profile', 'orders'] as const;

export const scopeMeanings: Readonly<Record<(typeof knownScopes)[number], string>> = {
  openid: 'know who you are',
  profile: 'read your name, birthday and roles',
  email: 'read your e-mail address',
  address: 'read your postal address',
  phone: 'read your phone number',
  offline_access: 'do so while you are away',
  orders: 'read your orders',
};
