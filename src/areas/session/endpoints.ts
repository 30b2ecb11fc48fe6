import { Type } from 'typebox';
import { addVary } from '#http/caching/caching.js';
import { isSameSecret } from '#http/credentials/is-same-secret.js';
import { HttpError } from '#http/http-error.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { errorSchema, failures } from '#http/schemas/error-schema.js';
import {
  challenge,
  contentSecurityPolicy,
  optional,
  retryAfter,
  vary,
} from '#http/schemas/header-schemas.js';
import {
  attemptCode,
  codeByTime,
  count,
  maxWrong,
  recoveryCode,
  type SecondStep,
  type Verdict,
} from './login-attempts.js';
import { sendPage } from './pages.js';
import {
  type Begun,
  describeSession,
  endEverywhere,
  findUser,
  halfSchema,
  lifetimes,
  sessionSchema,
} from './session.js';
import { formEndpoint, formResponses, rejected, respond, visitEndpoint } from './visit-endpoint.js';
import type { Visitor } from './visitor.js';

const text = Type.String();
const shortText = Type.String({ maxLength: 200 });
const csrf = Type.Optional(
  Type.String({ maxLength: 200, description: 'From GET /api/auth/session/csrf; only for forms.' }),
);
const setCookie = {
  'Set-Cookie': Type.Optional(
    Type.String({
      description: 'session: HttpOnly, SameSite=Lax; __Host-session and Secure over TLS.',
    }),
  ),
};
const seeOther = { ...setCookie, Location: text };

const notLoggedInSchema = Type.Object({
  authenticated: Type.Literal(false),
  nextStep: Type.Literal('login'),
});

const showSession = visitEndpoint('GET', '', {
  summary: 'Get the session, or a page for browsers',
  description: 'Browsers get a page to log in and out, which works without scripts.',
  responses: {
    200: {
      description: 'The session, or the next step of the login.',
      content: {
        'application/json': { schema: Type.Union([sessionSchema, halfSchema, notLoggedInSchema]) },
        'text/html': { schema: text },
      },
    },
  },
  responseHeaders: {
    200: {
      ...vary,
      ...setCookie,
      ...optional({
        ...contentSecurityPolicy,
        'X-Frame-Options': text,
        'Referrer-Policy': text,
        'X-Content-Type-Options': text,
      }),
    },
  },
  async visit(visitor) {
    addVary(visitor.reply, 'Accept, Cookie');
    const session = await visitor.useSession();
    if (prefersPage(visitor.request.headers.accept)) return sendPage(visitor, session);
    if (session === undefined) return { authenticated: false, nextStep: 'login' };
    return describeSession(session, await visitor.sandbox.now());
  },
});

const showUser = visitEndpoint('GET', '/me', {
  summary: 'Get who is logged in',
  security: [{ session: [] }],
  responses: { 200: sessionSchema, ...failures(401) },
  responseHeaders: { 401: challenge },
  async visit(visitor) {
    const session = await visitor.useSession();
    if (session === undefined) throw noSession();
    if (session.isHalf) throw rejected('The second factor is missing: POST totp or recovery.');
    return describeSession(session, await visitor.sandbox.now());
  },
});

const getCsrfToken = visitEndpoint('GET', '/csrf', {
  summary: 'Get a CSRF token for the forms of this session',
  description:
    'Send it as the field csrf or as X-CSRF-Token. It is valid for half an hour, and only in this browser and session. After a login, get another.',
  responses: { 200: Type.Object({ csrfToken: text }) },
  responseHeaders: {
    200: { 'Set-Cookie': Type.Optional(Type.String({ description: 'session-form.' })) },
  },
  visit: async (visitor) => ({ csrfToken: visitor.formToken(await visitor.sandbox.now()) }),
});

const guessing = {
  responses: {
    200: Type.Union([sessionSchema, halfSchema]),
    ...formResponses,
    ...failures(401, 429),
  },
  responseHeaders: {
    200: setCookie,
    303: seeOther,
    401: { ...challenge, ...setCookie },
    429: retryAfter,
  },
};

const logIn = formEndpoint('login', {
  ...guessing,
  summary: 'Log in with a user name and a password',
  description:
    'Send JSON, or a form with its CSRF token. Sets a cookie with a new id. The user alan needs a code afterwards. After five wrong passwords for a user, all logins as that user wait a minute.',
  body: Type.Object({
    username: shortText,
    password: shortText,
    remember: Type.Optional(
      Type.Boolean({ description: 'Stays logged in for 30 days, even without use.' }),
    ),
    csrf,
  }),
  async visit(visitor, { username, password, remember: isRemembered = false }) {
    const user = findUser(username);
    // A wrong name takes the same time as a wrong password, and counts in the same way.
    const isRight = isSameSecret(password, user?.password ?? '') && user !== undefined;
    const { sandbox } = visitor;
    const verdict = await sandbox.transact((view) => count(view, 'password', username, isRight));
    checkVerdict(verdict, 'The user name or the password is wrong.');
    const isHalf = user?.totpSecret !== undefined;
    return begin(visitor, { username, amr: ['pwd'], isRemembered, ...(isHalf && { isHalf }) });
  },
});

const sending = { ...guessing, body: Type.Object({ code: shortText, csrf }) };

const sendCode = formEndpoint('totp', {
  ...sending,
  summary: 'Send the code of an authenticator app',
  description: 'RFC 6238. Each code works once.',
  visit: (visitor, { code }) => takeSecondStep(visitor, code, codeByTime),
});

const sendRecoveryCode = formEndpoint('recovery', {
  ...sending,
  summary: 'Send a recovery code',
  description: 'Each code works once in a sandbox; GET /api/auth lists them.',
  visit: (visitor, { code }) => takeSecondStep(visitor, code, recoveryCode),
});

async function takeSecondStep<Used>(visitor: Visitor, code: string, step: SecondStep<Used>) {
  const half = await visitor.useSession();
  const user = half?.isHalf && findUser(half.username);
  if (!half || !user) {
    throw rejected(
      `No login is waiting for a code. POST login first, then send the code within ${lifetimes.step / 60_000} minutes.`,
    );
  }
  const { request, sandbox, parts } = visitor;
  const { username, amr, isRemembered } = half;
  const verdict = await parts.wrongCodes.try(
    request,
    ['session', sandbox.name, username],
    () => sandbox.transact((view) => attemptCode(view, step, user, code)),
    ({ kind }) => kind === 'wrong',
  );
  checkVerdict(verdict, 'The code is wrong or already used.');
  return begin(visitor, { username, amr: [...amr, step.method, 'mfa'], isRemembered });
}

async function begin(visitor: Visitor, begun: Begun): Promise<unknown> {
  const session = await visitor.beginSession(begun);
  return respond(visitor, async () => describeSession(session, await visitor.sandbox.now()));
}

function checkVerdict(verdict: Verdict, message: string): void {
  if (verdict.kind === 'wrong') throw rejected(message);
  if (verdict.kind !== 'wait') return;
  const { seconds } = verdict;
  throw new HttpError(
    429,
    `There were ${maxWrong} wrong attempts for this user. Wait ${seconds} s; until then, the correct value is rejected too.`,
    { headers: { 'retry-after': String(seconds) }, body: { retryAfter: seconds } },
  );
}

const ending = {
  body: Type.Object({ csrf }, { default: {} }),
  responses: { 204: Type.Null({ description: 'Logged out.' }), ...formResponses },
  responseHeaders: { 204: setCookie, 303: seeOther },
};

const logOut = formEndpoint('logout', {
  ...ending,
  summary: 'Log out',
  description: 'Works without a session, too. The body may be omitted.',
  visit: leave,
});

const logOutEverywhere = formEndpoint('logout-everywhere', {
  ...ending,
  summary: 'Log out of all sessions of this user',
  description: 'Only in this sandbox. The body may be omitted.',
  responses: { ...ending.responses, 401: errorSchema },
  responseHeaders: { ...ending.responseHeaders, 401: challenge },
  async visit(visitor) {
    if (!(await endEverywhere(visitor.sandbox, visitor.sessionKey ?? ''))) throw noSession();
    return leave(visitor);
  },
});

async function leave(visitor: Visitor): Promise<unknown> {
  await visitor.endSession();
  return respond(visitor, () => visitor.reply.code(204).send());
}

const noSession = () =>
  rejected(
    'Not logged in: the session cookie is missing, unknown in this sandbox, or expired. POST login.',
  );

export const sessionEndpoints = [
  ...[showSession, logIn, sendCode, sendRecoveryCode, showUser, getCsrfToken],
  ...[logOut, logOutEverywhere],
];
