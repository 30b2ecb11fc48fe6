/**
 * Acts as a user's browser and an application's router: follows to the redirect URI, and knows one
 * path of it.
 */

export const redirectUri = 'http://127.0.0.1:4711/callback';
export const clientId = 'demo-web';
export const clientSecret = 'demo-web-secret-of-32-characters';
export const scope = 'openid profile offline_access';

/** Throws where an application has no page, as any router responds with 404. */
export async function follow(url: URL | string): Promise<URL> {
  const { status, headers } = await fetch(url, { redirect: 'manual' });
  const location = headers.get('location');
  if (location === null) throw new Error(`The issuer responded with ${status}.`);
  const arrived = new URL(location);
  if (arrived.origin + arrived.pathname !== redirectUri) {
    throw new Error(`404: the application has no page at ${arrived.pathname}`);
  }
  return arrived;
}
