/** The scopes that a client can request, and their meanings. */

export const knownScopes = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
  'orders',
  'mcp:read',
  'mcp:write',
] as const;

export const scopeMeanings: Readonly<Record<string, string>> = {
  openid: 'know who you are',
  profile: 'read your name, birthday and roles',
  email: 'read your e-mail address',
  address: 'read your postal address',
  phone: 'read your phone number',
  offline_access: 'do so while you are away',
  orders: 'read your orders',
  'mcp:read': 'use the MCP server',
  'mcp:write': 'change records with the MCP server',
};
