/** The credentials that a service publishes, and headers with them. */

import type { TestService } from './service.js';

export async function demoCredentials(service: Pick<TestService, 'send'>) {
  const { json } = await service.send('GET /api/auth');
  return json.credentials as {
    basic: User;
    digest: User;
    apiKey: string;
    bearer: { admin: string; user: string; readOnly: string };
    jwt: (User & { role: string })[];
    oauth: { clientId: string; clientSecret: string; scopes: string[] };
    hmac: { secret: string };
    sigv4: { accessKeyId: string; secretAccessKey: string };
  };
}

interface User {
  readonly username: string;
  readonly password: string;
}

export function basicHeader(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
