/**
 * The panel of the bar: the sandbox, its clock, its faults, and how to use it in another program.
 */

import './panel.css';
import { addressOf } from '../shared/address-of.js';
import { ApiError } from '../shared/call.js';
import { button, element } from '../shared/element.js';
import { accountLink } from '../shared/visitor/account-link.js';
import { onSandboxChange } from '../shared/visitor/sandbox-name.js';
import { clockSection } from './clock-section.js';
import { copySection } from './copy-section.js';
import { faultSection } from './fault-section.js';
import { nameSection } from './name-section.js';
import { ownSandbox, readSandbox } from './sandbox-api.js';
import type { Panel } from './section.js';

let openAgain: (() => void) | undefined;

export function openPanel(opener: HTMLElement): void {
  openAgain ??= makePanel(opener);
  openAgain();
}

function makePanel(opener: HTMLElement): () => void {
  const said = element('p', { class: 'bar-said', role: 'status' });
  const panel: Panel = { act, actInOwn };
  const sections = [nameSection, copySection, clockSection, faultSection].map((make) =>
    make(panel),
  );
  const dialog = element(
    'dialog',
    { id: 'bar-panel', class: 'bar-panel', 'aria-labelledby': 'bar-title' },
    element(
      'div',
      { class: 'bar-head' },
      element('h2', { id: 'bar-title' }, 'Your sandbox'),
      button('✕', () => dialog.close(), { class: 'bar-close', 'aria-label': 'Close' }),
    ),
    ...sections.map(({ content }) => content),
    said,
  );
  dialog.addEventListener('click', ({ target, clientX, clientY }) => {
    if (target !== dialog) return;
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    if (!isInside) dialog.close();
  });
  dialog.addEventListener('close', () => opener.focus());
  document.body.append(dialog);
  onSandboxChange(() => {
    if (dialog.open) void refresh();
  });

  async function refresh(): Promise<void> {
    try {
      const state = await readSandbox();
      for (const { show } of sections) await show(state);
    } catch (error) {
      fail(error);
    }
  }

  function fail(error: unknown): void {
    const isUnknown = error instanceof ApiError && error.status === 401;
    said.classList.add('is-wrong');
    said.replaceChildren(
      ...(isUnknown ? accountLink(addressOf('/account')) : [(error as Error).message]),
    );
  }

  async function act(work: () => Promise<string> | string): Promise<void> {
    said.classList.remove('is-wrong');
    said.replaceChildren();
    try {
      said.textContent = await work();
      await refresh();
    } catch (error) {
      fail(error);
    }
  }

  function actInOwn(work: () => Promise<string>): void {
    void act(async () => {
      const made = await ownSandbox();
      const done = await work();
      return made === undefined ? done : `The sandbox ${made} was created for you. ${done}`;
    });
  }

  return () => {
    said.classList.remove('is-wrong');
    said.replaceChildren();
    dialog.showModal();
    void refresh();
  };
}
