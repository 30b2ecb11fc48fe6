/** The page of an issuer. It is also the application: the redirect URI is the page itself. */

import { addressOf, isInSandbox } from '../shared/address-of.js';
import { attempt } from '../shared/attempt.js';
import { byId, element } from '../shared/element.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { placeOfVisitor } from '../shared/visitor/place-of-visitor.js';
import { onSandboxChange, sandboxToSend } from '../shared/visitor/sandbox-name.js';
import { storedServiceKey } from '../shared/visitor/service-key.js';
import { finishLogin, type LoggedIn } from './finish-login.js';
import {
  keepLogin,
  type Login,
  newLogin,
  type Provider,
  parametersOf,
  requestOf,
  takeLogin,
} from './login.js';
import {
  addToStep,
  checkList,
  clearStep,
  code,
  endStep,
  navigation,
  pairs,
  sendInStep,
  titled,
  withoutSecret,
} from './step-view.js';

applyTheme();
addThemeSwitch();

const logInButton = byId('log-in', HTMLButtonElement);
const logOutButton = byId('log-out', HTMLButtonElement);
const again = byId('again', HTMLInputElement);
const outcome = byId('outcome', HTMLParagraphElement);

const returned = new URLSearchParams(location.search);
const former = returned.has('state') ? takeLogin() : undefined;
let login: Login | undefined;
let loggedIn: LoggedIn | undefined;

logInButton.addEventListener('click', () => attempt(leaveForLogin));
logOutButton.addEventListener('click', () => attempt(leaveForLogout));
again.addEventListener('change', () => login && showRequest(login));
onSandboxChange(() => {
  if (loggedIn === undefined) attempt(prepare);
});
attempt(start);

async function start(): Promise<void> {
  // A code in the address would be in the history, and a reload would send it again.
  history.replaceState(null, '', location.pathname);
  if (former === undefined) return prepare();
  if (former.logout !== undefined) {
    await prepare();
    showLogout(former, former.logout);
    return;
  }
  login = former;
  byId('issuer', HTMLElement).textContent = withoutSecret(former.provider.issuer);
  await sendInStep('discovery', addressOfDocument(former.redirectUri));
  endStep('discovery');
  showChallenge(former);
  showRequest(former, former.request);
  byId('start-title', HTMLHeadingElement).focus();
  logInButton.disabled = false;
  try {
    loggedIn = await finishLogin(former, returned);
  } catch (error) {
    outcome.replaceChildren('The login failed. The step with the cross shows why. ', ...helpLink());
    throw error;
  }
  outcome.replaceChildren(
    'You are logged in as ',
    element('b', {}, loggedIn.sub),
    '. Every request and response of the login is below.',
  );
  logInButton.textContent = 'Log in again';
  logOutButton.hidden = false;
}

function helpLink(): readonly Node[] {
  const href = addressOf('/guides/oidc#what-each-failure-means');
  return [element('a', { href }, 'What each failure means')];
}

/** Returns the issuer of the page; on the page of the service, the issuer of the visitor's sandbox. */
async function issuerOfVisitor(): Promise<string> {
  const own = location.origin + location.pathname.replace(/\/$/, '');
  const isOfService = own === addressOf('/oidc');
  if (isInSandbox() || !isOfService) return own;
  const isShared = storedServiceKey() === undefined && sandboxToSend() === undefined;
  return isShared ? own : `${await placeOfVisitor()}/oidc`;
}

function addressOfDocument(issuer: string): string {
  return `${issuer}/.well-known/openid-configuration`;
}

/** Runs the steps before the login. */
async function prepare(): Promise<void> {
  logInButton.disabled = true;
  const issuer = await issuerOfVisitor();
  byId('issuer', HTMLElement).textContent = withoutSecret(issuer);
  clearStep('discovery');
  const { text } = await sendInStep('discovery', addressOfDocument(issuer));
  const provider = JSON.parse(text) as Provider;
  const isRight = provider.issuer === issuer;
  addToStep(
    'discovery',
    titled('Checks', checkList([{ isPassed: isRight, text: `issuer is ${issuer}` }])),
  );
  endStep('discovery', isRight);
  if (!isRight) {
    throw new Error(
      `The document is of the issuer ${provider.issuer}, so a correct client stops here. Behind a proxy, start the service with its public URL.`,
    );
  }
  login = newLogin(provider, issuer);
  showChallenge(login);
  showRequest(login);
  logInButton.disabled = false;
}

function showChallenge({ verifier, challenge }: Login): void {
  clearStep('pkce');
  addToStep(
    'pkce',
    pairs([
      [
        'code_verifier',
        verifier,
        '32 random bytes in base64url; it stays in this tab until the token request',
      ],
      [
        'code_challenge',
        challenge,
        'Its SHA-256 in base64url without padding; it goes into the next request',
      ],
    ]),
    code('code_challenge = BASE64URL(SHA256(ASCII(code_verifier)))'),
  );
  endStep('pkce');
}

function showRequest(shown: Login, request = requestOf(shown, again.checked)): void {
  const isAgain = new URL(request).searchParams.has('prompt');
  clearStep('authorization');
  addToStep(
    'authorization',
    titled('Request of the browser', navigation(request)),
    pairs(parametersOf(shown, isAgain)),
  );
  if (shown.request !== undefined) endStep('authorization');
}

async function leaveForLogin(): Promise<void> {
  // After a login, its values are used up.
  if (login?.request !== undefined) await prepare();
  if (login === undefined) return;
  const request = requestOf(login, again.checked);
  keepLogin({ ...login, request });
  location.assign(request);
}

function leaveForLogout(): void {
  if (login === undefined || loggedIn === undefined) return;
  const query = new URLSearchParams({
    id_token_hint: loggedIn.idToken,
    post_logout_redirect_uri: login.redirectUri,
    state: login.state,
  });
  const logout = `${login.provider.end_session_endpoint}?${query}`;
  keepLogin({ ...login, logout });
  location.assign(logout);
}

function showLogout({ state, redirectUri }: Login, request: string): void {
  const isRight = returned.get('state') === state;
  clearStep('logout');
  addToStep(
    'logout',
    titled('Request of the browser', navigation(request)),
    titled(
      'Response of the issuer',
      code(withoutSecret(`HTTP/1.1 303 See Other\nLocation: ${redirectUri}?${returned}`)),
    ),
    titled('Checks', checkList([{ isPassed: isRight, text: 'state is the value of the request' }])),
  );
  endStep('logout', isRight);
  const link = element('a', { href: '#logout' }, 'The last step');
  outcome.replaceChildren('You are logged out. ', link, ' shows the request.');
  byId('start-title', HTMLHeadingElement).focus();
}
