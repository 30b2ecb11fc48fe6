/** What in a recorded call must be another value with each run, and where that comes from. */

import type { AnswerPart } from './sample-request.js';

export interface Adaptation {
  /** The recorded call to show; otherwise the most telling of those that were taken. */
  readonly call?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of a JSON body or fields of a form. */
  readonly body?: Readonly<Record<string, string>>;
  /** Variables that get a value from the answer. */
  readonly keeps?: Readonly<Record<string, AnswerPart>>;
  /** Variables whose values are of no use afterwards. */
  readonly forgets?: readonly string[];
  /** Whether the client has the cookie from an earlier answer, and sends it by itself. */
  readonly isCookieKept?: true;
  /** Other statuses that are right as well, because earlier callers decide. */
  readonly otherwise?: readonly number[];
}

const clockSandbox = { headers: { 'X-Sandbox': '{{sandbox}}-clock' } };
const client = { headers: { 'X-Client-Id': '{{clientName}}' } };
const ownAccount = { headers: { 'X-Service-Key': '{{ownKey}}' } };
const bin = { path: { id: '{{binId}}' } };
const capture = { path: { id: '{{binId}}', requestId: '{{requestId}}' } };
const member = (...body: string[]): AnswerPart => ({ body });
const entityTag: AnswerPart = { header: 'ETag' };

/** By `operationId`. */
export const adaptations: Readonly<Record<string, Adaptation>> = {
  getMethodsGet: { call: 'A query' },

  postAuthJwtLogin: {
    body: { username: '{{jwtUsername}}', password: '{{jwtPassword}}' },
    keeps: { accessToken: member('accessToken'), refreshToken: member('refreshToken') },
  },
  postAuthJwtRefresh: {
    body: { refreshToken: '{{refreshToken}}' },
    keeps: { accessToken: member('accessToken'), refreshToken: member('refreshToken') },
  },
  postAuthJwtLogout: { body: { refreshToken: '{{refreshToken}}' } },
  postAuthOauthToken: { keeps: { oauthToken: member('access_token') } },
  postAuthOauthIntrospect: { body: { token: '{{oauthToken}}' } },
  postAuthOauthRevoke: { body: { token: '{{oauthToken}}' } },
  postAuthHmac: {
    headers: { 'X-Timestamp': '{{hmacTimestamp}}', 'X-Signature': '{{hmacSignature}}' },
  },
  getAuthCsrfToken: { keeps: { csrfToken: member('csrfToken') } },
  postAuthCsrfSubmit: { headers: { 'X-CSRF-Token': '{{csrfToken}}' }, isCookieKept: true },

  postEvents: { keeps: { eventId: member('id'), eventTag: entityTag } },
  putEventsById: { path: { id: '{{eventId}}' }, headers: { 'If-Match': '{{eventTag}}' } },
  patchEventsById: { path: { id: '{{eventId}}' } },
  deleteEventsById: { path: { id: '{{eventId}}' } },
  postBooks: { keeps: { bookId: member('id'), bookTag: entityTag } },
  putBooksById: { path: { id: '{{bookId}}' }, headers: { 'If-Match': '{{bookTag}}' } },
  patchBooksById: { path: { id: '{{bookId}}' } },
  deleteBooksById: { path: { id: '{{bookId}}' } },

  getRateLimit: client,
  getRateLimitStatus: client,
  postRateLimitReset: client,

  postWebhooksBins: { call: 'A name', keeps: { binId: member('id') } },
  getWebhooksBinsById: bin,
  patchWebhooksBinsById: bin,
  deleteWebhooksBinsById: bin,
  getWebhooksBinsByIdRequests: bin,
  deleteWebhooksBinsByIdRequests: bin,
  postWebhooksByBinId: { keeps: { requestId: member('requestId') } },
  getWebhooksBinsByIdRequestsByRequestId: capture,
  getWebhooksBinsByIdRequestsByRequestIdBody: capture,
  postWebhooksSamplesByProvider: {
    keeps: { stripeSignature: member('headers', 'Stripe-Signature') },
  },
  postWebhooksVerifyByProvider: { headers: { 'Stripe-Signature': '{{stripeSignature}}' } },

  putSandboxClock: clockSandbox,
  getSandboxClock: clockSandbox,
  deleteSandbox: clockSandbox,

  // An address may sign up so many times an hour, and a house can be full.
  postAccounts: { keeps: { ownKey: member('key') }, otherwise: [429, 503] },
  getAccountsMe: ownAccount,
  postAccountsMeRotate: { ...ownAccount, keeps: { ownKey: member('key') } },
  deleteAccountsMe: { ...ownAccount, forgets: ['ownKey'] },
};

/** What captures have in common is the name of their parameter. */
export const usualPathValues: Readonly<Record<string, string>> = { binId: '{{binId}}' };

/** They end what others of their area need, and so come last, in this order. */
export const endings: readonly string[] = [
  'postAuthJwtLogout',
  'postAuthOauthRevoke',
  'deleteEventsById',
  'deleteBooksById',
  'patchWebhooksBinsById',
  'deleteWebhooksBinsByIdRequests',
  'deleteWebhooksBinsById',
  'deleteSandbox',
  'postAccountsMeRotate',
  'deleteAccountsMe',
];

/** Operations that are in no collection, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  getWebhooksBinsByIdEvents:
    'It answers for as long as it is listened to, and a collection waits for the end.',
};

/** Operations that are not in the .http file either, and why. */
export const leftOutOfHttpFile: Readonly<Record<string, string>> = {
  ...leftOut,
  postAuthHmac: 'A file of requests cannot compute a signature.',
};
