/**
 * The account page: creates an account, shows its key once, stores it in this browser, rotates it,
 * deletes the account. The key is in the page only until the visitor confirms having stored it.
 */

import { addressOf } from '../shared/address-of.js';
import { ApiError, call, callJson, callOpen } from '../shared/call.js';
import { confirm } from '../shared/confirm.js';
import { copyFrom } from '../shared/copy-button.js';
import { byId, element } from '../shared/element.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import {
  forgetServiceKey,
  storedServiceKey,
  storeServiceKey,
} from '../shared/visitor/service-key.js';
import { showSandboxes } from './sandboxes.js';

applyTheme();
addThemeSwitch();

interface Terms {
  readonly isRequired: boolean;
}

interface Account {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: string;
  readonly keyCreatedAt: string;
  readonly expiresAt: string;
  readonly limits: { readonly requestsPerMinute: number; readonly sandboxes: number };
  /** Present if the account was read rather than created. */
  readonly usage?: {
    readonly requests: number;
    readonly requestsRemaining: number;
    readonly secondsLeft: number;
  };
}

type Usage = NonNullable<Account['usage']>;
type KeyedAccount = Account & { readonly key: string };

const accounts = addressOf('/api/accounts');
const own = `${accounts}/me`;

const fault = byId('fault', HTMLParagraphElement);
const accountSection = byId('account', HTMLElement);
const newKeySection = byId('new-key', HTMLElement);
const enterSection = byId('enter', HTMLDivElement);
const keyField = byId('key', HTMLInputElement);
const givenKeyField = byId('given-key', HTMLInputElement);
const nameField = byId('name', HTMLInputElement);

byId('skip', HTMLAnchorElement).addEventListener('click', (event) => {
  event.preventDefault();
  byId('main', HTMLElement).focus();
});
onSubmit('sign-up', signUp);
onSubmit('use', useGivenKey);
onClick('copy-key', () => copyFrom(byId('copy-key', HTMLButtonElement), keyField.value));
onClick('hide-key', hideKey);
onClick('forget', forget);
onClick('rotate', rotate);
onClick('delete', deleteAccount);
keyField.addEventListener('focus', () => keyField.select());
attempt(async () => {
  await Promise.all([showTerms(), showAccount()]);
});

function onClick(id: string, act: () => unknown): void {
  byId(id, HTMLButtonElement).addEventListener('click', () =>
    attempt(async () => void (await act())),
  );
}

function onSubmit(id: string, act: () => Promise<void>): void {
  byId(id, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(act);
  });
}

/** Runs an action, and shows its failure until the next action. */
async function attempt(act: () => Promise<void>): Promise<void> {
  fault.hidden = true;
  try {
    await act();
  } catch (error) {
    fault.textContent = (error as Error).message;
    fault.hidden = false;
  }
}

function announce(text: string): void {
  byId('announcement', HTMLParagraphElement).textContent = text;
}

async function showTerms(): Promise<void> {
  const { isRequired } = await callJson<Terms>(accounts);
  const mode = byId('mode', HTMLParagraphElement);
  mode.textContent = isRequired
    ? 'This service requires an account, except for the method endpoints, images, and deliveries to webhook bins.'
    : 'This service is open: everything works without an account. You can still create one, to see how accounts work.';
  mode.hidden = false;
}

/** Shows the account of the stored key, or how to get one. */
async function showAccount(): Promise<void> {
  let account: Account | undefined;
  try {
    account =
      storedServiceKey() === undefined
        ? undefined
        : await callJson<Account>(own, 'GET', undefined, ownKey());
  } catch (error) {
    showWaysIn();
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    forgetServiceKey();
    throw new Error(
      'The key that this browser stored is no longer valid: it was replaced, or its account was deleted or has expired. This browser has forgotten it.',
    );
  }
  if (account === undefined) showWaysIn();
  else show(account);
}

/** Account actions need the key, even if the path of the page acts as the account. */
function ownKey(): HeadersInit {
  const key = storedServiceKey();
  return key === undefined ? {} : { 'X-Service-Key': key };
}

function showWaysIn(): void {
  void showSandboxes();
  accountSection.hidden = true;
  enterSection.hidden = false;
}

function show({ id, name, createdAt, keyCreatedAt, expiresAt, limits, usage }: Account): void {
  void showSandboxes();
  const { requestsPerMinute, sandboxes } = limits;
  const facts: readonly (readonly [string, string | Node])[] = [
    ...(name ? [['Name', name] as const] : []),
    ['Id', element('span', { class: 'code' }, id)],
    ['Made', timeOf(createdAt)],
    ...(keyCreatedAt === createdAt ? [] : [['Key of', timeOf(keyCreatedAt)] as const]),
    ['Expires if unused', timeOf(expiresAt)],
    ...(usage === undefined ? [] : [['Usage', usageView(usage, requestsPerMinute)] as const]),
    ['Limits', `${requestsPerMinute} requests a minute, ${sandboxes} sandboxes`],
  ];
  byId('facts', HTMLElement).replaceChildren(
    ...facts.flatMap(([term, value]) => [element('dt', {}, term), element('dd', {}, value)]),
  );
  enterSection.hidden = true;
  accountSection.hidden = false;
}

function usageView({ requests, secondsLeft }: Usage, limit: number): HTMLElement {
  const meter = element('meter', { min: 0, max: limit, value: requests, 'aria-label': 'Usage' });
  const rest = secondsLeft === 0 ? '' : `; the count restarts in ${secondsLeft} s`;
  return element('span', {}, meter, ` ${requests} of ${limit} requests this minute${rest}`);
}

function timeOf(iso: string): HTMLElement {
  return element('time', { datetime: iso, title: iso }, new Date(iso).toLocaleString());
}

/** Stores the key for the other pages, and shows it, which is possible only once. */
function showNewKey({ key, ...account }: KeyedAccount): void {
  const isKept = storeServiceKey(key);
  show(account);
  keyField.value = key;
  byId('example', HTMLPreElement).textContent =
    `curl -H 'X-Service-Key: ${key}' ${addressOf('/api/Books/1')}`;
  newKeySection.hidden = false;
  byId('new-key-title', HTMLHeadingElement).focus();
  if (isKept) return;
  accountSection.hidden = true;
  throw new Error(
    'This browser stores nothing for pages, so you will have to enter the key again.',
  );
}

function hideKey(): void {
  dropKeyFromPage();
  byId(accountSection.hidden ? 'main' : 'account-title', HTMLElement).focus();
}

function dropKeyFromPage(): void {
  newKeySection.hidden = true;
  keyField.value = '';
  byId('example', HTMLPreElement).textContent = '';
}

async function signUp(): Promise<void> {
  const name = nameField.value.trim();
  const made = await callJson<KeyedAccount>(accounts, 'POST', name === '' ? {} : { name });
  nameField.value = '';
  showNewKey(made);
  announce('The account was created.');
}

async function useGivenKey(): Promise<void> {
  const key = givenKeyField.value.trim();
  // The key must be valid before it is stored.
  const response = await callWith(key);
  givenKeyField.value = '';
  storeServiceKey(key);
  show((await response.json()) as Account);
  byId('account-title', HTMLHeadingElement).focus();
}

async function callWith(key: string): Promise<Response> {
  let headers: Headers;
  try {
    headers = new Headers({ 'X-Service-Key': key });
  } catch {
    throw new Error('This is not a key: keys begin with psk_ and contain only letters and digits.');
  }
  return callOpen(own, { headers });
}

function forget(): void {
  forgetServiceKey();
  dropKeyFromPage();
  showWaysIn();
  announce('The key was forgotten in this browser.');
  byId('main', HTMLElement).focus();
}

async function rotate(): Promise<void> {
  if (
    !(await confirm(
      'Replace the key? The old one becomes invalid at once, everywhere.',
      'Replace it',
    ))
  ) {
    return;
  }
  showNewKey(await callJson<KeyedAccount>(`${own}/rotate`, 'POST', undefined, ownKey()));
  announce('The account has a new key.');
}

async function deleteAccount(): Promise<void> {
  const question = 'Delete this account with all its data and webhook bins?';
  if (!(await confirm(question, 'Delete it'))) return;
  await call(own, { method: 'DELETE', headers: ownKey() });
  forget();
  announce('The account was deleted.');
}
