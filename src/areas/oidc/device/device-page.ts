/** The page at which a person allows a device, after typing in its code: RFC 8628 section 3.3. */

import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import type { Reply, Request } from '../../../http/exchange.js';
import type { Services } from '../../../kit/area.js';
import { html } from '../../../site/html.js';
import type { Sandbox } from '../../../state/state.js';
import { beginSession } from '../authorize/begin-session.js';
import { Browser } from '../authorize/browser.js';
import { checkLogin } from '../authorize/check-login.js';
import { type Session, sessions } from '../authorize/session.js';
import type { Client } from '../clients/client.js';
import { findClient } from '../clients/find-client.js';
import { issuerOf } from '../issuer.js';
import { oauthError } from '../oauth-error.js';
import { codePage, consentPage, loginPage, messagePage, userCodePage } from '../pages/pages.js';
import { strangeForm, withPages } from '../pages/with-pages.js';
import { formParameters, queryParameters } from '../read-parameters.js';
import { findUser, usersOf } from '../users/find-user.js';
import { codeTrier } from '../users/try-code.js';
import { type Device, decideOnDevice, findWaiting, tidyUserCode } from './devices.js';

interface Visit {
  readonly reply: Reply;
  readonly sandbox: Sandbox;
  readonly browser: Browser;
  readonly nowMs: number;
  readonly device: Device;
  readonly client: Client;
}

const action = 'device_answer';

export class DevicePage {
  readonly #services: Services;
  readonly #mac: KeyedMac;

  constructor(services: Services, mac: KeyedMac) {
    this.#services = services;
    this.#mac = mac;
  }

  async show(request: Request, reply: Reply): Promise<Reply> {
    return withPages(request, reply, async () => {
      const query = queryParameters(request);
      const typed = query.get('user_code');
      if (typed === undefined) return userCodePage().send(reply);
      const visit = await this.#visit(request, reply, typed);
      const auto = query.get('auto');
      if (auto === 'deny') return response(visit, 'denied');
      if (auto !== undefined) return response(visit, await loginAs(visit, auto));
      const session = await visit.sandbox.read(sessions, visit.browser.sessionKey ?? '');
      return session === undefined ? askLogin(visit) : askConsent(visit, session);
    });
  }

  /** The forms: a password, a code of an authenticator app, or the response. */
  async take(request: Request, reply: Reply): Promise<Reply> {
    return withPages(request, reply, async () => {
      const sent = await formParameters(request);
      const tryCode = codeTrier(this.#services, request);
      const visit = await this.#visit(request, reply, sent.get('request') ?? '');
      const { sandbox, browser, nowMs, device } = visit;
      const csrf = sent.get('csrf');
      const { sessionKey = '' } = browser;
      const session = await sandbox.read(sessions, sessionKey);
      if (sent.has('answer')) {
        const about = [sessionKey, device.userCode];
        const isOurs = browser.isProof(csrf, nowMs, 'device-consent', ...about);
        if (session === undefined || !isOurs) throw strangeForm();
        return response(visit, sent.get('answer') === 'allow' ? session : 'denied');
      }
      if (!browser.isProof(csrf, nowMs, 'device-login', device.userCode)) throw strangeForm();
      if (sent.has('cancel')) return response(visit, 'denied');
      const checked = await checkLogin(sandbox, browser, sent, nowMs, tryCode);
      if (!('user' in checked)) return askAgain(visit, checked);
      const { user, isMfa } = checked;
      return askConsent(visit, await beginSession(sandbox, browser, user, isMfa));
    });
  }

  async #visit(request: Request, reply: Reply, typed: string): Promise<Visit> {
    const sandbox = this.#services.sandboxOf(request);
    const issuer = issuerOf(this.#services, request);
    const tryCode = codeTrier(this.#services, request);
    const device = await tryCode(() => findWaiting(sandbox, tidyUserCode(typed)));
    const client = device && (await findClient(sandbox, device.clientId));
    if (device === undefined || client === undefined) {
      const message =
        'No device waits with this user_code: it is wrong, has expired, or has been used.';
      throw oauthError('invalid_request', message);
    }
    const browser = new Browser(request, reply, { issuer, mac: this.#mac, sandbox });
    return { reply, sandbox, browser, nowMs: await sandbox.now(), device, client };
  }
}

async function loginAs({ sandbox, browser }: Visit, auto: string): Promise<Session> {
  const user = await findUser(sandbox, auto);
  if (user !== undefined) {
    return beginSession(sandbox, browser, user, user.totpSecret !== undefined);
  }
  const names = (await usersOf(sandbox)).map(({ username }) => username).join(', ');
  throw oauthError('invalid_request', `auto must be one of ${names}, deny.`);
}

function formParts({ browser, nowMs, device: { userCode } }: Visit) {
  const csrf = browser.proof(nowMs, 'device-login', userCode);
  return { request: userCode, csrf, action };
}

async function askLogin(visit: Visit, fault?: string): Promise<Reply> {
  const { client, sandbox, reply } = visit;
  return loginPage({ client }, await usersOf(sandbox), { ...formParts(visit), fault }).send(reply);
}

async function askAgain(
  visit: Visit,
  { fault, needsCodeOf }: Exclude<Awaited<ReturnType<typeof checkLogin>>, { isMfa: boolean }>,
): Promise<Reply> {
  if (needsCodeOf?.totpSecret === undefined) return askLogin(visit, fault);
  const proof = visit.browser.proof(visit.nowMs, 'code', needsCodeOf.username);
  const parts = { ...formParts(visit), fault };
  return codePage(needsCodeOf, proof, parts).send(visit.reply);
}

/** A user who is talked into typing a code in should see that it is not theirs (section 5.4). */
function askConsent(visit: Visit, session: Session): Reply {
  const { browser, client, device, nowMs, reply } = visit;
  const { scopes, userCode } = device;
  const csrf = browser.proof(nowMs, 'device-consent', browser.sessionKey ?? '', userCode);
  const note = html`<p>Allow it only if the device before you shows <strong>${userCode}</strong>.</p>`;
  const parts = { request: userCode, csrf, action, note };
  return consentPage({ client, scopes }, session, parts).send(reply);
}

async function response(
  { sandbox, device, reply }: Visit,
  given: Session | 'denied',
): Promise<Reply> {
  await decideOnDevice(sandbox, device.userCode, given);
  const [title, message] =
    given === 'denied'
      ? ['The device was denied', 'It gets no tokens.']
      : ['The device is connected', 'Go back to it: it continues by itself.'];
  return messagePage(title ?? '', message ?? '').send(reply);
}
