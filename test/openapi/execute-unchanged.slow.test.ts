import { beforeAll, expect, test } from 'vitest';
import { type Description, operationsOf } from '../../pages/docs/description.js';
import { toldToViewer } from '../../pages/docs/told-description.js';
import { useService } from '../support/service.js';
import { type FilledIn, unchangedRequest } from './unchanged-request.js';

const service = useService();

let description: Description;
beforeAll(async () => {
  const { json } = await service.send('GET /openapi.json');
  description = toldToViewer(json);
});

/** As `pages/docs/fill-in-credentials.ts` fills them in. */
async function filledIn(sandbox: string): Promise<FilledIn> {
  const headers = { 'X-Sandbox': sandbox };
  const { json } = await service.send('GET /api/auth', { headers });
  const { basic, apiKey, bearer, jwt, oauth, oidc } = json.credentials;
  const login = await service.send('POST /api/auth/jwt/login', { headers, json: jwt[0] });
  const header = (value: string, name = 'Authorization') =>
    ({ in: 'header', name, value }) as const;
  const basicOf = (name: string, password: string) =>
    header(`Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`);
  const client = oidc.clients.find((each: { clientSecret?: string }) => each.clientSecret);
  const token = await service.send('POST /api/auth/oauth/token', {
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `grant_type=client_credentials&client_id=${oauth.clientId}&client_secret=${oauth.clientSecret}`,
  });
  return {
    basic: basicOf(basic.username, basic.password),
    apiKeyHeader: header(apiKey, 'X-Api-Key'),
    apiKeyQuery: { in: 'query', name: 'api_key', value: apiKey },
    apiKeyCookie: header(`api_key=${apiKey}`, 'Cookie'),
    bearer: header(`Bearer ${bearer.admin}`),
    anyBearer: header(`Bearer ${bearer.admin}`),
    oidcClient: basicOf(client.clientId, client.clientSecret),
    oauthClient: basicOf(oauth.clientId, oauth.clientSecret),
    oauth: header(`Bearer ${token.json.access_token}`),
    jwt: header(`Bearer ${login.json.accessToken}`),
    pathBasic: basicOf('ada', 'secret'),
    pathUser: basicOf('ada', ''),
  };
}

test('every operation, executed unchanged, gets its success or lacks a value that it names', async () => {
  const wrong: string[] = [];
  const unsent: string[] = [];
  let number = 0;
  for (const operation of operationsOf(description)) {
    number += 1;
    const sandbox = `unchanged-${number}`;
    const { operationId, method, responses = {} } = operation;
    const { target, headers, body, missing } = unchangedRequest(
      description,
      operation,
      operation.security?.length ? await filledIn(sandbox) : {},
    );
    if (missing.length > 0) {
      unsent.push(`${operationId}: ${missing}`);
      continue;
    }
    const init = {
      method,
      headers: { 'X-Sandbox': sandbox, ...headers },
      redirect: 'manual',
    } as const;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), 3000);
    try {
      const response = await fetch(service.url + target, {
        ...init,
        signal: controller.signal,
        ...(body !== undefined && { body }),
      });
      const text = response.status < 400 ? '' : await response.text();
      controller.abort();
      const isDescribed = String(response.status) in responses;
      if (!isDescribed || response.status >= 400) {
        wrong.push(
          `${operationId}: ${method} ${target} → ${response.status} ${text.slice(0, 200)} | ${body?.slice(0, 150)} ${JSON.stringify(headers).slice(0, 200)}`,
        );
      }
    } catch (error) {
      wrong.push(`${operationId}: ${method} ${target} → ${String(error)}`);
    }
    clearTimeout(timer);
  }
  console.log(number, 'unsent\n', unsent.join('\n'));
  console.log(wrong.length, 'wrong\n', wrong.join('\n'));
  expect(wrong).toEqual([]);
}, 300_000);
