/**
 * The passkey page: both ceremonies with the browser's JSON methods, and the exchanged messages.
 */

import { addressOf } from '../shared/address-of.js';
import { callJson } from '../shared/call.js';
import { byId, element } from '../shared/element.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';

applyTheme();
addThemeSwitch();

interface Proven {
  readonly username: string;
  readonly id: string;
  readonly counter: number;
}

const fault = byId('fault', HTMLParagraphElement);
const outcome = byId('outcome', HTMLParagraphElement);
const wire = byId('wire', HTMLDivElement);
const username = byId('username', HTMLInputElement);
const buttons = ['register', 'login', 'login-any'].map((id) => byId(id, HTMLButtonElement));

byId('skip', HTMLAnchorElement).addEventListener('click', (event) => {
  event.preventDefault();
  byId('main', HTMLElement).focus();
});
byId('form', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
onClick('register', register);
onClick('login', () => logIn({ username: username.value }));
onClick('login-any', () => logIn({}));

if (!('credentials' in navigator) || typeof PublicKeyCredential === 'undefined') {
  showMessage('Browsers support passkeys only on https and on localhost. Open this page there.');
} else if (typeof PublicKeyCredential.parseCreationOptionsFromJSON !== 'function') {
  showMessage('This browser is too old to accept the options of passkeys as JSON.');
} else {
  for (const each of buttons) each.disabled = false;
}

async function register(): Promise<string> {
  const options = await ask<PublicKeyCredentialCreationOptionsJSON>('register/options', {
    username: username.value,
  });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = await navigator.credentials.create({ publicKey });
  const proven = await ask<Proven>('register/verify', jsonOf(made));
  return `${proven.username} has a new passkey.`;
}

async function logIn(whose: { readonly username?: string }): Promise<string> {
  const options = await ask<PublicKeyCredentialRequestOptionsJSON>('login/options', whose);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const found = await navigator.credentials.get({ publicKey });
  const proven = await ask<Proven>('login/verify', jsonOf(found));
  return `You are ${proven.username}. The passkey has signed ${proven.counter} times.`;
}

function jsonOf(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new Error('The browser returned no passkey.');
}

async function ask<Result>(path: string, body: unknown): Promise<Result> {
  const full = `/api/auth/passkeys/${path}`;
  show(`POST ${full}`, body);
  const response = await callJson<Result>(addressOf(full), 'POST', body);
  show('Response', response);
  return response;
}

function show(title: string, value: unknown): void {
  byId('nothing', HTMLParagraphElement).hidden = true;
  const text = JSON.stringify(value, undefined, 2);
  wire.append(
    element('h3', {}, title),
    element('pre', { class: 'code', tabindex: 0, role: 'group', 'aria-label': title }, text),
  );
}

function onClick(id: string, act: () => Promise<string>): void {
  const pressed = byId(id, HTMLButtonElement);
  pressed.disabled = true;
  pressed.addEventListener('click', async () => {
    fault.hidden = true;
    outcome.textContent = '';
    wire.replaceChildren();
    for (const each of buttons) each.disabled = true;
    try {
      outcome.textContent = await act();
    } catch (error) {
      showMessage((error as Error).message);
    }
    for (const each of buttons) each.disabled = false;
  });
}

function showMessage(text: string): void {
  fault.textContent = text;
  fault.hidden = false;
}
