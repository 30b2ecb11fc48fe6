/** The board of a class, for its teacher. */

import { attempt } from '../../shared/attempt.js';
import { button, byId, element } from '../../shared/element.js';
import {
  type Board,
  type ClassInfo,
  forgetClass,
  type KnownClass,
  keepClass,
  type ListedChallenge,
  type Message,
  type Pupil,
  type Summary,
  Teacher,
} from '../api.js';
import { clockTime, type State, stateNames } from '../cells.js';
import { listOf, messagesOf } from '../lists.js';
import { type BoardActions, boardActions } from './board-actions.js';
import { type Looks, readLooks, storeLooks } from './board-looks.js';
import { type Follower, followBoard } from './follow-board.js';
import { joinPanel } from './join-panel.js';
import { Matrix } from './matrix.js';
import { showPupil } from './pupil-dialog.js';

const shownFirsts = 12;

const roomNote =
  'Its sandboxes count as yours. If others need room and you hold the most, pupils lose sandboxes before that day. This board remains.';

export async function showBoard(known: KnownClass, signal: AbortSignal): Promise<void> {
  const view = new BoardView(known);
  byId('lead', HTMLParagraphElement).hidden = true;
  byId('view', HTMLDivElement).replaceChildren(...view.parts());
  signal.addEventListener('abort', showUnprojected);
  await followBoard(view.teacher, view, signal);
}

const showUnprojected = () => document.documentElement.removeAttribute('data-projected');

class BoardView implements Follower {
  readonly teacher: Teacher;
  readonly #known: KnownClass;
  readonly #actions: BoardActions;
  readonly #matrix: Matrix;
  readonly #join = element('div', { class: 'join-place' });
  readonly #count = element('h2', { id: 'pupils-title' }, 'Pupils');
  readonly #pointed = element('p', { class: 'pointed' });
  readonly #summary = element('div', { class: 'summary' });
  readonly #messages = element('div');
  readonly #hide = button('Hide names', () => this.#hideNames());
  readonly #project = button('Projector', () =>
    this.#look({ isProjected: !this.#looks.isProjected }),
  );
  #looks = readLooks();
  #listed: readonly ListedChallenge[] = [];
  #latest: Summary = { firsts: [], stuck: [] };

  constructor(known: KnownClass) {
    this.#known = known;
    this.teacher = new Teacher(known.id, known.key);
    this.#actions = boardActions(this.teacher, () => this.#listed);
    this.#matrix = new Matrix({
      nameOf: (pupil) => this.#nameOf(pupil),
      open: (pupil) => this.#open(pupil),
      explain: (text) => {
        this.#pointed.textContent = text;
      },
    });
    this.#look({});
  }

  parts(): readonly Node[] {
    const heading = [this.#count, legend(), this.#hide, this.#project];
    return [
      this.#actions.root,
      this.#join,
      element(
        'section',
        { 'aria-labelledby': 'pupils-title', class: 'pupils' },
        element('div', { class: 'row heading' }, ...heading),
        this.#pointed,
        this.#matrix.root,
        this.#matrix.key,
      ),
      element(
        'aside',
        { 'aria-label': 'Class', class: 'board' },
        this.#summary,
        element('div', { class: 'messages' }, this.#messages, messageForm(this.teacher)),
      ),
    ];
  }

  onBoard(board: Board): void {
    this.#listed = board.challenges;
    this.#showInfo(board);
    this.#matrix.showAll(board.pupils, board.challenges, board.assigned);
    this.onSummary(board);
    this.#countPupils();
  }

  onPupil(pupil: Pupil): void {
    this.#matrix.show(pupil);
    this.#countPupils();
  }

  onRemoved({ pupil }: { readonly pupil: string }): void {
    this.#matrix.remove(pupil);
    this.#countPupils();
  }

  onSummary(news: Summary): void {
    this.#latest = news;
    const titleOf = (id: string) => this.#titleOf(id);
    this.#summary.replaceChildren(...summaryOf(news, titleOf, (pupil) => this.#nameOf(pupil)));
  }

  onClass(info: ClassInfo & { readonly messages: readonly Message[] }): void {
    this.#showInfo(info);
    this.#matrix.assign(info.assigned);
  }

  onEnded(): void {
    forgetClass(this.#known.id);
    location.hash = '';
  }

  onLost(): void {
    byId('said', HTMLParagraphElement).textContent = 'The connection was lost. Connecting again …';
  }

  #titleOf(id: string): string {
    return this.#listed.find((each) => each.id === id)?.title ?? id;
  }

  #nameOf({ pupil, label }: Pick<Pupil, 'pupil' | 'label'>): string {
    return this.#looks.isNameless ? `Pupil ${pupil}` : label;
  }

  #open(pupil: Pupil): void {
    const words = { name: this.#nameOf(pupil), titleOf: (id: string) => this.#titleOf(id) };
    void attempt(() => showPupil(this.teacher, pupil, words));
  }

  #hideNames(): void {
    this.#look({ isNameless: !this.#looks.isNameless });
    this.#matrix.rename();
    this.#pointed.textContent = '';
    this.onSummary(this.#latest);
  }

  #look(change: Partial<Looks>): void {
    this.#looks = { ...this.#looks, ...change };
    storeLooks(this.#looks);
    const { isNameless, isProjected } = this.#looks;
    this.#hide.setAttribute('aria-pressed', String(isNameless));
    this.#project.setAttribute('aria-pressed', String(isProjected));
    document.documentElement.toggleAttribute('data-projected', isProjected);
  }

  #countPupils(): void {
    const { pupils } = this.#matrix;
    const stuck = pupils.filter(({ current }) => current?.stuck).length;
    const ofStuck = stuck === 0 ? '' : `, ${stuck} stuck`;
    this.#count.textContent =
      pupils.length === 0
        ? 'Waiting for pupils …'
        : `${pupils.length} ${pupils.length === 1 ? 'pupil' : 'pupils'}${ofStuck}`;
  }

  #showInfo(info: ClassInfo & { readonly messages: readonly Message[] }): void {
    byId('title', HTMLHeadingElement).textContent = info.name;
    keepClass({ ...this.#known, name: info.name });
    this.#actions.show(info);
    if (this.#join.childElementCount === 0) this.#join.append(joinPanel(info));
    this.#messages.replaceChildren(...messagesOf(info.messages));
    const until = new Date(info.endsAt).toLocaleDateString();
    byId('said', HTMLParagraphElement).textContent =
      `${info.frozen ? 'Frozen: nothing counts. ' : ''}The class ends on ${until}. ${roomNote}`;
  }
}

const states: readonly State[] = ['solved', 'tried', 'stuck', 'new'];

function legend(): HTMLElement {
  const items = states.map((state) =>
    element('li', {}, element('span', { class: 'state', 'data-state': state }), stateNames[state]),
  );
  return element('ul', { class: 'legend', 'aria-label': 'States of a challenge' }, ...items);
}

function summaryOf(
  { firsts, stuck }: Summary,
  titleOf: (id: string) => string,
  nameOf: (pupil: Pick<Pupil, 'pupil' | 'label'>) => string,
): HTMLElement[] {
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
    .map((first) =>
      element(
        'li',
        {},
        element('bdi', { class: 'who' }, nameOf(first)),
        ` ${titleOf(first.challenge)} `,
        element('span', { class: 'quiet' }, clockTime(first.time)),
      ),
    );
  return [
    element('div', {}, ...listOf('In progress', ofStuck, 'No challenge is started.')),
    element('div', {}, ...listOf('First to solve', ofFirsts, 'Nothing is solved yet.')),
  ];
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
