/** The start: pupils join or return, teachers create a class or open one of theirs. */

import { attempt } from '../shared/attempt.js';
import { ApiError, callOpen } from '../shared/call.js';
import { copyButton } from '../shared/copy-button.js';
import { button, byId, element } from '../shared/element.js';
import {
  createClass,
  type Joined,
  joinClass,
  keepClass,
  knownClasses,
  rejoinClass,
} from './api.js';
import { baseOf, forgetPupil, type OwnPupil, ownPupils, storePupil } from './own-pupils.js';

export function showStart(): void {
  const code = new URLSearchParams(location.search).get('code') ?? '';
  byId('view', HTMLDivElement).replaceChildren(
    element(
      'div',
      { class: 'cards' },
      ...returnCards(),
      joinCard(code),
      rejoinCard(code),
      // A pupil who followed the link of the teacher only joins.
      ...(code === '' ? [teachCard()] : []),
    ),
  );
}

async function openPupil(pupil: OwnPupil): Promise<void> {
  try {
    await callOpen(`${baseOf(pupil)}/api/classes/me`);
  } catch (error) {
    const isGone = error instanceof ApiError && error.status === 404;
    if (!isGone) throw error;
    forget(pupil);
    throw new Error('The class has ended, or the teacher removed this pupil.');
  }
  location.assign(`${baseOf(pupil)}/class`);
}

function forget({ path }: OwnPupil): void {
  forgetPupil(path);
  showStart();
}

/** The pupils of this browser. */
function returnCards(): HTMLElement[] {
  const pupils = ownPupils();
  if (pupils.length === 0) return [];
  const items = pupils.map((pupil) => {
    const name = `${pupil.label} in ${pupil.class}`;
    return element(
      'li',
      { class: 'row' },
      button(`Continue as ${name}`, () => void attempt(() => openPupil(pupil)), {
        class: 'main-action',
      }),
      button('Forget', () => forget(pupil), { 'aria-label': `Forget ${name}` }),
    );
  });
  return [
    card(
      'return-title',
      'Your pupils in this browser',
      element('ul', { class: 'returning' }, ...items),
      element('p', { class: 'quiet' }, 'If this is not you, join under your own name.'),
    ),
  ];
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
    const joined = await joinClass(codeInput.input.value, nameInput.input.value);
    storePupil(joined);
    showOwnCode(joined);
  });
  return card('join-title', 'Join a class', form);
}

/** Shows a new pupil the own code, once. */
function showOwnCode({ address, code, label, class: ofClass }: Joined): void {
  const next = button('Continue', () => location.assign(`${address}/class`), {
    class: 'main-action',
  });
  byId('view', HTMLDivElement).replaceChildren(
    card(
      'code-title',
      `${label} in ${ofClass}`,
      element('p', {}, 'Write down your code:'),
      element('p', { class: 'big-code', 'aria-label': 'Your code' }, code),
      element(
        'p',
        {},
        'With it, you return from any browser. This browser finds you without it. The code is not shown again; your teacher can.',
      ),
      element(
        'p',
        { class: 'row' },
        next,
        copyButton('Copy the code', () => code),
      ),
    ),
  );
  next.focus();
}

function rejoinCard(joinCode: string): HTMLElement {
  const codeInput = field('rejoin-join-code', 'Code from your teacher', {
    value: joinCode,
    placeholder: 'ABCD-EFGH',
    maxlength: 40,
    class: 'code code-input',
  });
  const ownInput = field('own-code', 'Your own code', {
    placeholder: 'ABC234',
    maxlength: 20,
    class: 'code code-input',
  });
  const form = element(
    'form',
    {},
    codeInput.label,
    codeInput.input,
    ownInput.label,
    ownInput.input,
    element('p', {}, element('button', { type: 'submit' }, 'Return')),
  );
  onSubmit(form, async () => {
    const found = await rejoinClass(codeInput.input.value, ownInput.input.value);
    storePupil(found);
    location.assign(`${found.address}/class`);
  });
  return card('rejoin-title', 'Return to a class', form);
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
