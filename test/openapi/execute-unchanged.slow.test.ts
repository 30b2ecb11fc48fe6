/**
 * Every operation of the reference, executed unchanged: it gets its described success, or the page
 * says what to enter first.
 */

import { beforeAll, expect, test } from 'vitest';
import {
  type Description,
  type ListedOperation,
  operationsOf,
} from '../../pages/docs/description.js';
import { formOf } from '../../pages/docs/form/form-of.js';
import { type Credential, requestOf } from '../../pages/docs/form/request-of.js';
import { useService } from '../support/service.js';

const service = useService();

let description: Description;
beforeAll(async () => {
  const { json } = await service.send('GET /openapi.json');
  description = json;
});

/** Fills in the same credentials as `pages/docs/credentials.ts`. */
async function filledIn(sandbox: string): Promise<Readonly<Record<string, Credential>>> {
  const headers = { 'X-Sandbox': sandbox };
  const { json } = await service.send('GET /api/auth', { headers });
  const { basic, apiKey, bearer, jwt, oauth, oidc, llm } = json.credentials;
  const login = await service.send('POST /api/auth/jwt/login', { headers, json: jwt[0] });
  const bearerOf = (token: string): Credential => ({ kind: 'bearer', token });
  const basicOf = (username: string, password: string): Credential => ({
    kind: 'basic',
    username,
    password,
  });
  const key = { kind: 'apiKey', key: apiKey } as const;
  const client = oidc.clients.find((each: { clientSecret?: string }) => each.clientSecret);
  const token = await service.send('POST /api/auth/oauth/token', {
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `grant_type=client_credentials&client_id=${oauth.clientId}&client_secret=${oauth.clientSecret}`,
  });
  return {
    basic: basicOf(basic.username, basic.password),
    apiKeyHeader: { ...key, in: 'header', name: 'X-Api-Key' },
    apiKeyQuery: { ...key, in: 'query', name: 'api_key' },
    apiKeyCookie: { ...key, in: 'cookie', name: 'api_key' },
    bearer: bearerOf(bearer.admin),
    anyBearer: bearerOf(bearer.admin),
    openaiKey: bearerOf(llm.openai),
    apiKeyAnthropic: { kind: 'apiKey', key: llm.anthropic, in: 'header', name: 'X-Api-Key' },
    apiKeyGoogle: { kind: 'apiKey', key: llm.gemini, in: 'header', name: 'X-Goog-Api-Key' },
    oidcClient: basicOf(client.clientId, client.clientSecret),
    oauthClient: basicOf(oauth.clientId, oauth.clientSecret),
    oauth: bearerOf(token.json.access_token),
    jwt: bearerOf(login.json.accessToken),
    pathBasic: basicOf('ada', 'secret'),
    pathUser: basicOf('ada', 'secret'),
  };
}

/** The request that the reference sends if nothing is entered. */
function unchangedRequest(
  operation: ListedOperation,
  credentials: Readonly<Record<string, Credential>>,
) {
  const form = formOf(description, operation);
  const body =
    form.bodies.find(({ text, fields }) => text !== '' || fields?.some(({ value }) => value)) ??
    form.bodies[0];
  const isClientInForm = Object.hasOwn(
    Object.fromEntries((body?.fields ?? []).map(({ name, value }) => [value && name, 1])),
    'client_id',
  );
  const schemes = isClientInForm ? [] : (operation.security ?? []).flatMap(Object.keys);
  const [scheme = ''] = schemes.filter((each) => each in credentials);
  const credential = credentials[scheme];
  const made = requestOf(form, {
    method: form.methods[0] ?? '',
    textOf: ({ value, choices, isRequired }) => value || (isRequired ? (choices[0] ?? '') : ''),
    filesOf: () => [],
    ...(body && { body: { form: body, text: body.text } }),
    credentials: credential === undefined ? [] : [credential],
  });
  return { ...made, step: form.firstStep };
}

interface Executed {
  readonly operation: ListedOperation;
  /** The sentence that the page shows in advance. */
  readonly step: string | undefined;
  readonly missing: readonly string[];
  /** Absent if nothing is sent, because a value is missing. */
  readonly status?: number;
  readonly text?: string;
}

/** `number` makes the name of a new sandbox. */
async function execute(operation: ListedOperation, number: number): Promise<Executed> {
  const sandbox = `unchanged-${number}`;
  const credentials = operation.security?.length ? await filledIn(sandbox) : {};
  const made = unchangedRequest(operation, credentials);
  const { step } = made;
  if ('missing' in made) return { operation, step, missing: made.missing };
  const { path, method, headers, cookie, body } = made.request;
  // Browsers cannot send it, and nor can fetch.
  if (method === 'TRACE') return { operation, step, missing: ['TRACE'] };
  const controller = new AbortController();
  const response = await fetch(service.url + path, {
    method,
    headers: { 'X-Sandbox': sandbox, ...headers, ...(cookie && { Cookie: cookie }) },
    redirect: 'manual',
    signal: controller.signal,
    ...(body !== undefined && { body }),
  });
  const { status } = response;
  const text = status < 400 ? '' : await response.text();
  // Some streams never end.
  controller.abort();
  return { operation, step, missing: [], status, text };
}

function isSuccess({ responses = {} }: ListedOperation, status: number): boolean {
  const described = Object.keys(responses).filter((each) => each !== 'default');
  const successes = described.filter((each) => each < '400' && each !== '101');
  // Only a client of WebSocket gets it.
  if (described.includes('101') && successes.length === 0) return false;
  if (successes.length > 0) return status < 400 && described.includes(String(status));
  return described.includes(String(status)) || (described.length <= 1 && status < 400);
}

/** Tested in Chromium, because the page responds to the challenge. */
const usesDigest = ({ security = [] }: ListedOperation) =>
  security.some((way) => Object.keys(way).some((name) => /digest/i.test(name)));

const saidOf = ({ operation: { operationId }, missing, status, text = '' }: Executed) =>
  `${operationId} → ${status ?? `lacks ${missing}`} ${text.slice(0, 200)}`;

let executed: readonly Executed[];
beforeAll(async () => {
  const all: Executed[] = [];
  for (const [number, operation] of operationsOf(description).entries()) {
    if (!usesDigest(operation)) all.push(await execute(operation, number));
  }
  executed = all;
}, 120_000);

test('every operation gets its success, or the page says what to enter first', () => {
  expect(executed.length).toBeGreaterThan(400);
  const wrong = executed.filter(({ operation, step, missing, status }) => {
    if (status !== undefined) return !isSuccess(operation, status) && step === undefined;
    return missing.length > 0 && step === undefined;
  });
  expect(wrong.map(saidOf)).toEqual([]);
});

test('most operations need nothing first', () => {
  const sent = executed.filter(
    ({ operation, status }) => status !== undefined && isSuccess(operation, status),
  );
  // Subscriptions to webhooks, with their deliveries, are created first.
  expect(sent.length / executed.length).toBeGreaterThan(0.73);
});

test('each form of OAuth and of the issuer authenticates its client once', () => {
  const form =
    /^post \/(?:api\/auth\/oauth|oidc)\/(?:token|introspect|revoke|par|device_authorization|authorize|logout)$/;
  const forms = executed.filter(({ operation: { method, path } }) =>
    form.test(`${method} ${path}`),
  );
  expect(forms.length).toBeGreaterThanOrEqual(8);
  const wrong = forms.filter(({ operation, status = 0 }) => !isSuccess(operation, status));
  expect(wrong.map(saidOf)).toEqual([]);
});

test('no operation has a first step that it does not need', () => {
  const idle = executed.filter(
    ({ operation, step, status }) =>
      step !== undefined && status !== undefined && isSuccess(operation, status),
  );
  expect(idle.map(saidOf)).toEqual([]);
});
