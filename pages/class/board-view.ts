/** The board of a class, for its teacher. */

import { attempt } from '../shared/attempt.js';
import { confirm } from '../shared/confirm.js';
import { button, byId, element } from '../shared/element.js';
import {
  type ClassInfo,
  forgetClass,
  type KnownClass,
  keepClass,
  type Message,
  type Summary,
  Teacher,
} from './api.js';
import { chooseChallenges } from './assign-dialog.js';
import { followBoard } from './follow-board.js';
import { joinPanel } from './join-panel.js';
import { showPupil } from './pupil-dialog.js';
import { clockTime, PupilTable } from './pupil-table.js';

const shownFirsts = 12;

const roomNote =
  'Its sandboxes count as yours. If others need room and you hold the most, pupils lose sandboxes before that day. This board remains.';

export async function showBoard(known: KnownClass, signal: AbortSignal): Promise<void> {
  const teacher = new Teacher(known.id, known.key);
  const table = new PupilTable((pupil) => void attempt(() => showPupil(teacher, pupil)));
  const actions = element('div', { class: 'row actions' });
  const join = element('div', { class: 'join-place' });
  const summary = element('div', { class: 'summary' });
  const messages = element('div');
  const count = element('h2', { id: 'pupils-title' }, 'Pupils');
  const said = byId('said', HTMLParagraphElement);
  byId('lead', HTMLParagraphElement).hidden = true;
  byId('view', HTMLDivElement).replaceChildren(
    actions,
    element(
      'div',
      { class: 'board' },
      element('section', { 'aria-labelledby': 'pupils-title' }, count, table.root),
      element('aside', { 'aria-label': 'Class' }, join, summary, messages, messageForm(teacher)),
    ),
  );

  const countPupils = () => {
    const { length } = table.pupils;
    count.textContent =
      length === 0 ? 'Waiting for pupils …' : `${length} ${length === 1 ? 'pupil' : 'pupils'}`;
  };
  const showInfo = (info: ClassInfo & { readonly messages: readonly Message[] }) => {
    byId('title', HTMLHeadingElement).textContent = info.name;
    keepClass({ ...known, name: info.name });
    actions.replaceChildren(...actionsOf(teacher, info));
    join.replaceChildren(joinPanel(info));
    messages.replaceChildren(...messagesOf(info.messages));
    const until = new Date(info.endsAt).toLocaleDateString();
    said.textContent = `${info.frozen ? 'Frozen: nothing counts. ' : ''}The class ends on ${until}. ${roomNote}`;
  };

  await followBoard(
    teacher,
    {
      onBoard(board) {
        showInfo(board);
        table.showAll(board.pupils);
        summary.replaceChildren(...summaryOf(board));
        countPupils();
      },
      onPupil(pupil) {
        table.show(pupil);
        countPupils();
      },
      onRemoved({ pupil }) {
        table.remove(pupil);
        countPupils();
      },
      onSummary: (news) => summary.replaceChildren(...summaryOf(news)),
      onClass: showInfo,
      onEnded() {
        forgetClass(known.id);
        location.hash = '';
      },
      onLost() {
        said.textContent = 'The connection was lost. Connecting again …';
      },
    },
    signal,
  );
}

function actionsOf(teacher: Teacher, { frozen, ranking, assigned, name }: ClassInfo) {
  const doing = (act: () => Promise<unknown>) => () => void attempt(async () => void (await act()));
  const asking = (question: string, yes: string, act: () => Promise<unknown>) =>
    doing(async () => (await confirm(question, yes, 'Cancel')) && act());
  return [
    button(
      `Assign challenges${assigned.length > 0 ? ` (${assigned.length})` : ''}`,
      doing(async () => {
        const chosen = await chooseChallenges(assigned);
        if (chosen !== undefined) await teacher.change({ assigned: chosen });
      }),
    ),
    button(
      'Freeze',
      doing(() => teacher.change({ frozen: !frozen })),
      { 'aria-pressed': `${frozen}` },
    ),
    button(
      'Show the ranking',
      doing(() => teacher.change({ ranking: !ranking })),
      {
        'aria-pressed': `${ranking}`,
      },
    ),
    button(
      'Export CSV',
      doing(() => download(teacher, 'csv', name)),
    ),
    button(
      'Export JSON',
      doing(() => download(teacher, 'json', name)),
    ),
    button(
      'Reset all',
      asking('Empty the sandboxes of all pupils, and this board?', 'Reset all', () =>
        teacher.resetAll(),
      ),
    ),
    button(
      'End the class',
      asking('Delete the class with everything that its pupils did?', 'End it', () =>
        teacher.end(),
      ),
      { class: 'danger' },
    ),
  ];
}

async function download(teacher: Teacher, format: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await teacher.file(format));
  element('a', { href: url, download: `${name}.${format}` }).click();
  URL.revokeObjectURL(url);
}

function summaryOf({ firsts, stuck }: Summary): HTMLElement[] {
  const ofStuck = stuck.map(({ title, pupils }) =>
    element(
      'li',
      {},
      title,
      ' ',
      element('b', {}, `${pupils} ${pupils === 1 ? 'pupil' : 'pupils'}`),
    ),
  );
  const ofFirsts = firsts
    .slice(-shownFirsts)
    .reverse()
    .map(({ challenge, label, time }) =>
      element(
        'li',
        {},
        element('b', {}, label),
        ` ${challenge} `,
        element('span', { class: 'quiet' }, clockTime(time)),
      ),
    );
  return [
    ...listOf('In progress', ofStuck, 'No challenge is started.'),
    ...listOf('First to solve', ofFirsts, 'Nothing is solved yet.'),
  ];
}

function listOf(title: string, items: readonly HTMLElement[], empty: string): HTMLElement[] {
  const head = element('h2', {}, title);
  if (items.length === 0) return [head, element('p', { class: 'quiet' }, empty)];
  return [head, element('ul', {}, ...items)];
}

export function messagesOf(messages: readonly Message[]): HTMLElement[] {
  const items = messages
    .slice(-10)
    .reverse()
    .map(({ text, time }) =>
      element('li', {}, text, ' ', element('span', { class: 'quiet' }, clockTime(time))),
    );
  return listOf('Messages', items, 'No messages yet.');
}

function messageForm(teacher: Teacher): HTMLElement {
  const input = element('input', {
    id: 'message',
    required: true,
    maxlength: 500,
    autocomplete: 'off',
  });
  const form = element(
    'form',
    {},
    element('label', { for: 'message' }, 'Message to all pupils'),
    element('div', { class: 'row' }, input, element('button', { type: 'submit' }, 'Send')),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(async () => {
      await teacher.say(input.value);
      input.value = '';
    });
  });
  return form;
}
