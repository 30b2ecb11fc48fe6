/** The credentials of an operation: filled in, and able to be changed or left out. */

import { element } from '../shared/element.js';
import {
  type CredentialInput,
  credentialOf,
  type Filled,
  filledIn,
  inputsOf,
} from './credentials.js';
import { type Description, type ListedOperation, resolved } from './description.js';
import type { Credential } from './form/request-of.js';
import { withCode } from './inline-code.js';

interface CredentialsView {
  readonly parts: readonly HTMLElement[];
  readonly chosen: () => readonly Credential[];
}

/** Entered credentials, kept for the next operation. */
const entered = new Map<string, Filled>();

const labels: Readonly<Record<CredentialInput, string>> = {
  username: 'User name',
  password: 'Password',
  token: 'Token',
  key: 'Key',
};

export function credentialsView(
  description: Description,
  operation: ListedOperation,
): CredentialsView {
  const names = [...new Set((operation.security ?? []).flatMap((way) => Object.keys(way)))];
  // A client authenticates only once: in the form, or with credentials.
  const isInForm = Object.values(resolved(description, operation.requestBody)?.content ?? {}).some(
    ({ example }) => Object.hasOwn(Object(example), 'client_id'),
  );
  const [first] = names;
  if (first === undefined) return { parts: [], chosen: () => [] };
  const views = names.map((name) => schemeView(description, operation, name));
  const none = 'Send none';
  const options = [...names, none].map((each) => element('option', {}, each));
  const select = element('select', { 'aria-label': 'Scheme' }, ...options);
  const preferred = views.findIndex(({ inputs }) => inputs.length > 0);
  select.selectedIndex = isInForm ? names.length : Math.max(0, preferred);
  const show = () => {
    for (const [index, { part }] of views.entries()) part.hidden = index !== select.selectedIndex;
  };
  select.addEventListener('change', show);
  show();
  const legend = element('legend', {}, 'Credentials ');
  return {
    parts: [
      element(
        'fieldset',
        { class: 'credentials' },
        legend,
        select,
        ...views.map(({ part }) => part),
      ),
    ],
    chosen: () => {
      const credential = views[select.selectedIndex]?.credential();
      return credential === undefined ? [] : [credential];
    },
  };
}

function schemeView(description: Description, operation: ListedOperation, name: string) {
  const scheme = description.components.securitySchemes[name] ?? { type: '' };
  const isPath = name.startsWith('path');
  const inputs = inputsOf(name, scheme).map((kind) => {
    // Everybody knows these passwords, so that nothing hides them.
    const input = element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
    input.addEventListener('input', () => {
      if (!isPath) entered.set(name, values());
    });
    return { kind, input };
  });
  const values = (): Filled =>
    Object.fromEntries(inputs.map(({ kind, input }) => [kind, input.value]));
  const fill = async () => {
    const known =
      (isPath ? undefined : entered.get(name)) ?? (await filledIn(description, operation, name));
    for (const { kind, input } of inputs) if (input.value === '') input.value = known[kind] ?? '';
  };
  const status = element('small', {}, ...withCode(scheme.description ?? ''));
  const part = element(
    'div',
    {},
    status,
    element(
      'div',
      { class: 'inputs' },
      ...inputs.map(({ kind, input }) => element('label', {}, labels[kind], input)),
    ),
  );
  if (inputs.length > 0) {
    part.dataset.state = 'filling';
    fill()
      .catch((error: unknown) => status.append(` ${String(error)}`))
      .finally(() => {
        part.dataset.state = 'filled';
      });
  }
  return { part, inputs, credential: () => credentialOf(scheme, values()) };
}
