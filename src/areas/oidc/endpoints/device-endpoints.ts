/** The page where a user allows a device, after typing its code: RFC 8628 section 3.3. */

import { Type } from 'typebox';
import type { Reply } from '#http/exchange.js';
import { invalidRequest, OAuthError } from '#http/oauth/oauth-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { oauthRejections } from '#kit/describe/oauth-schemas.js';
import { secrets, unvalidated } from '#kit/endpoint.js';
import { html } from '#kit/pages/html.js';
import { readScopes } from '../authorize/authorization-request.js';
import {
  askLogin,
  logIn,
  logInAs,
  sessionOf,
  tryCode,
  type Visit,
  visitOf,
} from '../authorize/log-in.js';
import { readClientForm } from '../clients/authenticate-client.js';
import { type Exchange, formOf, issuerEndpoint, parametersOf } from '../exchange.js';
import {
  clientForm,
  forClients,
  optionalTexts,
  pageOrRedirect,
  text,
} from '../messages/schemas.js';
import { type Client, deviceGrant } from '../model/client.js';
import {
  addDevice,
  type Device,
  decideOnDevice,
  deviceSeconds,
  findWaiting,
  intervalSeconds,
  tidyUserCode,
} from '../model/devices.js';
import { findClient } from '../model/find-client.js';
import { offersOf, readTargets, usualScopes } from '../model/scopes.js';
import type { Session } from '../model/session.js';
import {
  consentPage,
  messagePage,
  pageEndpoint,
  strangeForm,
  userCodePage,
} from '../pages/pages.js';

const { responses, responseHeaders } = pageOrRedirect;

export const deviceEndpoints = [
  pageEndpoint('GET', 'device', {
    summary: 'Show the page where a user allows a device',
    description:
      'user_code with auto=ada or auto=deny skips the page. Wrong codes are limited: 10 a minute from an IP address, 100 at an issuer.',
    query: unvalidated({ ...secrets(optionalTexts('user_code')), ...optionalTexts('auto') }),
    responses: { 200: responses[200], 400: responses[400], 429: errorSchema },
    responseHeaders: { 200: responseHeaders[200], 400: responseHeaders[400] },
    handle: showDevicePage,
  }),
  pageEndpoint('POST', 'deviceForm', { hide: true, handle: submitDevicePage }),
];

interface DeviceVisit extends Visit {
  readonly device: Device;
  readonly client: Client;
}

const action = 'device_answer';

async function showDevicePage(at: Exchange): Promise<Reply> {
  const query = await parametersOf(at);
  const typed = query.get('user_code');
  if (typed === undefined) return userCodePage().send(at.reply);
  const visit = await deviceVisitOf(at, typed);
  const auto = query.get('auto');
  if (auto === 'deny') return decide(visit, 'denied');
  if (auto !== undefined) return decide(visit, await logInAs(visit, auto));
  const session = await sessionOf(visit);
  return session === undefined ? askLogin(visit, loginForm(visit)) : askConsent(visit, session);
}

/** Handles the page's forms: a password, a code of an authenticator app, or the decision. */
async function submitDevicePage(at: Exchange): Promise<Reply> {
  const sent = await formOf(at);
  const visit = await deviceVisitOf(at, sent.get('request') ?? '');
  const { browser, nowMs, device } = visit;
  const csrf = sent.get('csrf');
  if (sent.has('answer')) {
    const session = await sessionOf(visit);
    const about = [browser.sessionKey ?? '', device.userCode];
    const isOurs = browser.isProof(csrf, nowMs, 'device-consent', ...about);
    if (session === undefined || !isOurs) throw strangeForm();
    return decide(visit, sent.get('answer') === 'allow' ? session : 'denied');
  }
  if (!browser.isProof(csrf, nowMs, 'device-login', device.userCode)) throw strangeForm();
  if (sent.has('cancel')) return decide(visit, 'denied');
  const session = await logIn(visit, sent);
  if ('sid' in session) return askConsent(visit, session);
  return askLogin(visit, loginForm(visit), session);
}

async function deviceVisitOf(at: Exchange, typed: string): Promise<DeviceVisit> {
  const device = await tryCode(at, () => findWaiting(at.sandbox, tidyUserCode(typed)));
  const client = device && (await findClient(at.sandbox, device.clientId));
  if (device === undefined || client === undefined) {
    throw invalidRequest(
      'No device is waiting with this user_code: it is wrong, expired, or already used.',
    );
  }
  return { ...(await visitOf(at)), device, client };
}

function loginForm({ client, device: { userCode: request } }: DeviceVisit) {
  return { client, request, purpose: 'device-login', action } as const;
}

/** A user who is tricked into typing a code should notice that it is from another device (section 5.4). */
function askConsent(visit: DeviceVisit, session: Session): Reply {
  const { browser, client, device, nowMs, reply } = visit;
  const { scopes, userCode } = device;
  const csrf = browser.proof(nowMs, 'device-consent', browser.sessionKey ?? '', userCode);
  const note = html`<p>Allow it only if the device before you shows <strong>${userCode}</strong>.</p>`;
  const parts = { request: userCode, csrf, action, note };
  return consentPage({ client, scopes }, session, parts).send(reply);
}

async function decide(visit: DeviceVisit, decision: Session | 'denied'): Promise<Reply> {
  const { sandbox, device, reply } = visit;
  await decideOnDevice(sandbox, device.userCode, decision);
  const page =
    decision === 'denied'
      ? messagePage('The device was denied', 'It gets no tokens.')
      : messagePage('The device is connected', 'Go back to it: it continues by itself.');
  return page.send(reply);
}

export const authorizeDevice = issuerEndpoint('POST', 'deviceAuthorization', {
  ...forClients,
  summary: 'Get codes for a device without a browser',
  description: 'RFC 8628: one code for the device, and one for a user to type at /oidc/device.',
  bodies: clientForm(optionalTexts('scope', 'resource', 'audience')),
  responses: {
    200: Type.Object({
      device_code: text,
      user_code: text,
      verification_uri: text,
      verification_uri_complete: text,
      expires_in: Type.Integer(),
      interval: Type.Integer(),
    }),
    ...oauthRejections,
  },
  async handle(at) {
    const { form, client } = await readClientForm(at);
    if (!client.grantTypes.includes(deviceGrant)) {
      throw new OAuthError('unauthorized_client', `This client may not use ${deviceGrant}.`);
    }
    const offers = await offersOf(at, client);
    const targets = readTargets(form, offers);
    const scopes = form.has('scope')
      ? readScopes(form.get('scope'), offers)
      : usualScopes(offers.scopes);
    const { deviceCode, userCode } = await addDevice(at.sandbox, client, { scopes, targets });
    const uri = at.issuer.at('device');
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: uri,
      verification_uri_complete: `${uri}?user_code=${userCode}`,
      expires_in: deviceSeconds,
      interval: intervalSeconds,
    };
  },
});
