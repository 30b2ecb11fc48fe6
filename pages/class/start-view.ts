/** The start: pupils join, teachers create a class or open one of theirs. */

import { attempt } from '../shared/attempt.js';
import { byId, element } from '../shared/element.js';
import { createClass, joinClass, keepClass, knownClasses } from './api.js';

export function showStart(): void {
  const code = new URLSearchParams(location.search).get('code') ?? '';
  byId('view', HTMLDivElement).replaceChildren(
    element(
      'div',
      { class: 'cards' },
      joinCard(code),
      // A pupil who followed the link of the teacher only joins.
      ...(code === '' ? [teachCard()] : []),
    ),
  );
}

function joinCard(code: string): HTMLElement {
  const codeInput = field('join-code', 'Code from your teacher', {
    value: code,
    placeholder: 'ABCD-EFGH',
    maxlength: 40,
    class: 'code code-input',
  });
  const nameInput = field('join-name', 'Your name on the board', { maxlength: 40 });
  const form = element(
    'form',
    {},
    codeInput.label,
    codeInput.input,
    nameInput.label,
    nameInput.input,
    element('p', {}, element('button', { type: 'submit', class: 'main-action' }, 'Join')),
  );
  onSubmit(form, async () => {
    const { address } = await joinClass(codeInput.input.value, nameInput.input.value);
    location.assign(`${address}/class`);
  });
  return card('join-title', 'Join a class', form);
}

function teachCard(): HTMLElement {
  const name = field('class-name', 'Name of the class', { maxlength: 100, placeholder: 'Monday' });
  const form = element(
    'form',
    {},
    name.label,
    name.input,
    element('p', {}, element('button', { type: 'submit' }, 'Create a class')),
  );
  onSubmit(form, async () => {
    const made = await createClass(name.input.value);
    keepClass({ id: made.id, name: made.name, key: made.teacherKey });
    location.hash = made.id;
  });
  const known = knownClasses();
  const list = element(
    'ul',
    { class: 'known' },
    ...known.map((each) => element('li', {}, element('a', { href: `#${each.id}` }, each.name))),
  );
  const rest = known.length === 0 ? [] : [element('h3', {}, 'Your classes'), list];
  return card('teach-title', 'Teach', form, ...rest);
}

/** Shows a form for the teacher's key of a class that another browser created. */
export function showKeyForm(id: string, done: () => void): void {
  const key = field('teacher-key', "The teacher's key", {
    type: 'password',
    autocomplete: 'off',
    class: 'code',
  });
  const form = element(
    'form',
    {},
    key.label,
    key.input,
    element('p', {}, element('button', { type: 'submit', class: 'main-action' }, 'Open the board')),
  );
  onSubmit(form, async () => {
    keepClass({ id, name: id, key: key.input.value.trim() });
    done();
  });
  byId('view', HTMLDivElement).replaceChildren(
    card('key-title', 'Open a class', form),
    element('p', {}, element('a', { href: '#' }, 'All classes')),
  );
}

function field(id: string, says: string, attributes: Record<string, string | number>) {
  return {
    label: element('label', { for: id }, says),
    input: element('input', { id, required: true, autocomplete: 'off', ...attributes }),
  };
}

function onSubmit(form: HTMLFormElement, act: () => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(act);
  });
}

function card(titleId: string, title: string, ...children: readonly Node[]): HTMLElement {
  return element(
    'section',
    { class: 'card', 'aria-labelledby': titleId },
    element('h2', { id: titleId }, title),
    ...children,
  );
}
