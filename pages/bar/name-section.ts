/** Selects the sandbox: a new one, one by name, or none; and resets it. */

import { isAccountAddress, isInSandbox } from '../shared/address-of.js';
import { button, element } from '../shared/element.js';
import { isSandboxName } from '../shared/visitor/sandbox-name.js';
import { keyToSend } from '../shared/visitor/service-key.js';
import {
  leaveSandbox,
  makeSandbox,
  resetSandbox,
  type SandboxState,
  useSandbox,
} from './sandbox-api.js';
import type { Panel, Section } from './section.js';

export function nameSection(panel: Panel): Section {
  const about = element('p', { class: 'bar-about' });
  const input = element('input', {
    id: 'bar-other',
    required: true,
    maxlength: 64,
    pattern: '[A-Za-z0-9._\\-]{1,64}',
    title: '1 to 64 letters, digits, dots, underscores and hyphens',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
  });
  const named = element(
    'form',
    { class: 'bar-field' },
    element('label', { for: 'bar-other' }, 'Use a named sandbox'),
    element('div', { class: 'bar-row' }, input, element('button', {}, 'Use')),
  );
  named.addEventListener('submit', (event) => {
    event.preventDefault();
    const name = input.value.trim();
    if (!isSandboxName(name)) return;
    input.value = '';
    panel.act(() => {
      useSandbox(name);
      return `You are in the sandbox ${name} now.`;
    });
  });
  const make = button('New sandbox', () =>
    panel.act(() => `You are in the new sandbox ${makeSandbox()} now.`),
  );
  make.className = 'bar-main';
  const leave = button('', () =>
    panel.act(() => {
      leaveSandbox();
      return 'Requests now use no named sandbox.';
    }),
  );
  const { asking, reset } = resetButtons(panel);
  const row = element('div', { class: 'bar-row' }, make, reset, leave);
  return {
    content: element('section', { class: 'bar-section' }, about, row, asking, named),
    show(state) {
      about.replaceChildren(...textOf(state));
      leave.textContent =
        keyToSend() === undefined ? 'Use the shared one' : "Use the account's own";
      leave.hidden = state.isShared || state.name === 'default';
      // A path that acts as an account selects one sandbox.
      named.hidden = make.hidden = isAccountAddress();
      if (isAccountAddress()) leave.hidden = true;
    },
  };
}

function textOf({ name, isShared }: SandboxState): (Node | string)[] {
  if (isShared) {
    return [
      'Requests of this site go to the shared sandbox, whose data everyone sees. Your own sandbox is a copy that only you change.',
    ];
  }
  const whose = isInSandbox() ? 'The URL of this page' : 'Every page and tab of this browser';
  return [
    'A sandbox is a copy of all data and settings that only its users change. ',
    `${whose} sends requests to `,
    element('code', {}, name),
    '.',
  ];
}

/** Confirms the reset inside the dialog, instead of opening a second dialog. */
function resetButtons(panel: Panel): { readonly asking: HTMLElement; readonly reset: HTMLElement } {
  const reset = button('Reset', () => ask(true), { 'aria-expanded': 'false' });
  const yes = button(
    'Reset it',
    () => {
      ask(false);
      panel.act(async () => {
        await resetSandbox();
        return 'The sandbox was reset: its data, its clock and its faults.';
      });
    },
    { class: 'bar-danger' },
  );
  const no = button('Keep it', () => ask(false));
  const question = element('p', {}, 'Delete everything that anyone has written there?');
  const asking = element('div', { class: 'bar-asking', hidden: true }, question, yes, no);
  function ask(isAsking: boolean): void {
    asking.hidden = !isAsking;
    reset.setAttribute('aria-expanded', String(isAsking));
    (isAsking ? yes : reset).focus();
  }
  return { asking, reset };
}
