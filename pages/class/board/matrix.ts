/** The matrix of a class: pupils by challenges. A change writes only the cells that differ. */

import { button, element } from '../../shared/element.js';
import type { ListedChallenge, Pupil } from '../api.js';
import { stateNames, statesOf } from '../cells.js';
import { type Column, columnsOf, usualOrder } from './columns.js';
import { GridKeys } from './grid-keys.js';

export interface MatrixUse {
  readonly open: (pupil: Pupil) => void;
  /** Shows the cell that the pointer or the focus is on in words. */
  readonly explain: (text: string) => void;
  readonly nameOf: (pupil: Pick<Pupil, 'pupil' | 'label'>) => string;
}

/** A row with the texts of its cells. */
interface Row {
  readonly element: HTMLTableRowElement;
  readonly cells: readonly HTMLTableCellElement[];
  readonly name: HTMLButtonElement;
  readonly texts: string[];
}

/** Without assigned challenges, those are shown that most pupils have begun. */
const mostUnassigned = 30;

const collator = new Intl.Collator();

export class Matrix {
  readonly root: HTMLElement;
  /** The titles of the numbered columns. */
  readonly key = element('ol', { class: 'challenge-key' });
  readonly #use: MatrixUse;
  readonly #table = element('table', { role: 'grid', 'aria-labelledby': 'pupils-title' });
  readonly #keys = new GridKeys(this.#table);
  #body = element('tbody');
  #listed: readonly ListedChallenge[] = [];
  #assigned: readonly string[] = [];
  #challenges: readonly ListedChallenge[] = [];
  #columns: readonly Column[] = [];
  readonly #heads = new Map<string, HTMLTableCellElement>();
  readonly #pupils = new Map<string, Pupil>();
  readonly #rows = new Map<string, Row>();
  /** Numbers of pupils, in the order of the rows. */
  #order: string[] = [];
  /** The name of a column; empty for the names of pupils. */
  #sorting = usualOrder;

  constructor(use: MatrixUse) {
    this.#use = use;
    this.root = element('div', { class: 'table matrix' }, this.#table);
    this.#table.addEventListener('click', ({ target }) => {
      const pupil = this.#pupilAt(target);
      if (pupil !== undefined) use.open(pupil);
    });
    this.#table.addEventListener('keydown', ({ key, target }) => {
      const isOfButton = target instanceof HTMLButtonElement;
      const pupil = key === 'Enter' && !isOfButton ? this.#pupilAt(target) : undefined;
      if (pupil !== undefined) use.open(pupil);
    });
    for (const name of ['pointerover', 'focusin'] as const) {
      this.#table.addEventListener(name, ({ target }) => this.#explain(target));
    }
  }

  get pupils(): readonly Pupil[] {
    return [...this.#pupils.values()];
  }

  showAll(
    pupils: readonly Pupil[],
    listed: readonly ListedChallenge[],
    assigned: readonly string[],
  ): void {
    const isDrawn = this.#listed.length > 0;
    this.#listed = listed;
    this.#assigned = assigned;
    const present = new Set(pupils.map(({ pupil }) => pupil));
    for (const { pupil } of this.pupils) if (!present.has(pupil)) this.remove(pupil);
    for (const pupil of pupils) this.#pupils.set(pupil.pupil, pupil);
    if (this.#rechoose()) return;
    // After a lost connection, the board comes again: the focus and the place stay.
    if (isDrawn) for (const pupil of pupils) this.show(pupil);
    else this.#redraw();
  }

  assign(assigned: readonly string[]): void {
    if (assigned.join() === this.#assigned.join()) return;
    this.#assigned = assigned;
    this.#rechoose();
  }

  show(pupil: Pupil): void {
    this.#pupils.set(pupil.pupil, pupil);
    if (this.#assigned.length === 0 && this.#rechoose()) return;
    const row = this.#rows.get(pupil.pupil) ?? this.#newRow(pupil.pupil);
    this.#fill(row, pupil);
    this.#place(pupil, row);
    this.#showHunts();
    this.#keys.keepStop();
  }

  remove(pupil: string): void {
    this.#pupils.delete(pupil);
    this.#rows.get(pupil)?.element.remove();
    this.#rows.delete(pupil);
    this.#order = this.#order.filter((each) => each !== pupil);
    this.#keys.keepStop();
  }

  /** Writes all names again. */
  rename(): void {
    for (const pupil of this.#pupils.values()) {
      const row = this.#rows.get(pupil.pupil);
      if (row !== undefined) this.#fill(row, pupil);
    }
    if (this.#sorting === '') this.#sortBy('');
  }

  #redraw(): void {
    const titles = new Map(this.#listed.map(({ id, title }) => [id, title]));
    this.#columns = columnsOf((id) => titles.get(id) ?? id);
    this.#rows.clear();
    this.#body = element('tbody');
    this.#order = this.#sorted();
    for (const id of this.#order) {
      const [row, pupil] = [this.#newRow(id), this.#pupils.get(id)];
      if (pupil !== undefined) this.#fill(row, pupil);
      this.#body.append(row.element);
    }
    this.#table.style.setProperty('--challenges', String(this.#challenges.length));
    this.#table.replaceChildren(this.#widths(), element('thead', {}, this.#head()), this.#body);
    this.key.replaceChildren(...this.#challenges.map(({ title }) => element('li', {}, title)));
    this.#showHunts();
    this.#keys.keepStop();
  }

  /** Assigned challenges in the order of the teacher; else the ones in work, in the usual order. */
  #chosen(): readonly ListedChallenge[] {
    const byId = new Map(this.#listed.map((each) => [each.id, each]));
    if (this.#assigned.length > 0) return this.#assigned.flatMap((id) => byId.get(id) ?? []);
    const counts = new Map<string, number>();
    for (const { solved, tried } of this.#pupils.values()) {
      for (const id of [...solved.map((each) => each.id), ...tried]) {
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
    const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, mostUnassigned);
    const shown = new Set(most.map(([id]) => id));
    return this.#listed.filter(({ id }) => shown.has(id));
  }

  /** Returns whether the columns have changed. */
  #rechoose(): boolean {
    const chosen = this.#chosen();
    const idsOf = (challenges: readonly ListedChallenge[]) => challenges.map(({ id }) => id).join();
    if (idsOf(chosen) === idsOf(this.#challenges)) return false;
    this.#challenges = chosen;
    this.#redraw();
    return true;
  }

  #widths(): HTMLElement {
    const names = ['name', ...this.#challenges.map(() => 'challenge')];
    const all = [...names, ...this.#columns.map(({ name }) => name)];
    return element('colgroup', {}, ...all.map((name) => element('col', { class: `of-${name}` })));
  }

  #head(): HTMLTableRowElement {
    this.#heads.clear();
    const sorted = (name: string, label: string, className: string) => {
      const head = element('th', { scope: 'col', class: className });
      head.append(button(label, () => this.#sortBy(name), { tabindex: -1 }));
      this.#heads.set(name, head);
      return head;
    };
    const numbered = this.#challenges.map(({ title }, place) =>
      element(
        'th',
        { scope: 'col', class: 'challenge', title, tabindex: -1 },
        element('span', { 'aria-hidden': 'true' }, String(place + 1)),
        element('span', { class: 'unseen' }, title),
      ),
    );
    const rest = this.#columns.map((column) =>
      sorted(column.name, column.label, `of-${column.name}${column.isNumber ? ' number' : ''}`),
    );
    const row = element('tr', {}, sorted('', 'Pupil', 'name'), ...numbered, ...rest);
    this.#markSorted();
    return row;
  }

  #sortBy(column: string): void {
    this.#sorting = column;
    this.#order = this.#sorted();
    this.#body.append(...this.#order.flatMap((id) => this.#rows.get(id)?.element ?? []));
    this.#markSorted();
  }

  #markSorted(): void {
    for (const [name, head] of this.#heads) {
      if (name !== this.#sorting) head.removeAttribute('aria-sort');
      else head.setAttribute('aria-sort', name === '' ? 'ascending' : 'descending');
    }
  }

  #compare = (one: Pupil, other: Pupil): number =>
    this.#columns.find(({ name }) => name === this.#sorting)?.compare(one, other) ||
    (this.#sorting === '' ? collator.compare(this.#use.nameOf(one), this.#use.nameOf(other)) : 0) ||
    Number(one.pupil) - Number(other.pupil);

  #sorted(): string[] {
    return [...this.#pupils.values()].sort(this.#compare).map(({ pupil }) => pupil);
  }

  /** Moves only this row, and keeps the focus that is in it. */
  #place(pupil: Pupil, { element: moved }: Row): void {
    const before = this.#order.indexOf(pupil.pupil);
    const others = this.#order.filter((each) => each !== pupil.pupil);
    const found = others.findIndex((each) => {
      const other = this.#pupils.get(each);
      return other !== undefined && this.#compare(pupil, other) < 0;
    });
    const place = found < 0 ? others.length : found;
    if (place === before) return;
    const next = this.#rows.get(others[place] ?? '')?.element ?? null;
    const focused = moved.contains(document.activeElement) ? document.activeElement : null;
    this.#body.insertBefore(moved, next);
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    others.splice(place, 0, pupil.pupil);
    this.#order = others;
  }

  #newRow(id: string): Row {
    const name = button('', () => {}, { tabindex: -1, class: 'link', 'aria-haspopup': 'dialog' });
    const cells = [
      ...this.#challenges.map(() => element('td', { class: 'state', tabindex: -1 })),
      ...this.#columns.map((column) =>
        element('td', {
          class: `of-${column.name}${column.isNumber ? ' number' : ''}`,
          tabindex: -1,
        }),
      ),
    ];
    const head = element('th', { scope: 'row', class: 'name' }, name);
    const row = { element: element('tr', { 'data-pupil': id }, head, ...cells), cells, name };
    const filled: Row = { ...row, texts: [] };
    this.#rows.set(id, filled);
    return filled;
  }

  #fill(row: Row, pupil: Pupil): void {
    const { cells, texts } = row;
    const name = this.#use.nameOf(pupil);
    if (row.name.textContent !== name) row.name.textContent = name;
    row.element.classList.toggle('stuck', pupil.current?.stuck === true);
    const stateOf = statesOf(pupil);
    this.#challenges.forEach(({ id }, place) => {
      const state = stateOf(id);
      if (texts[place] === state) return;
      texts[place] = state;
      cells[place]?.setAttribute('data-state', state);
      cells[place]?.setAttribute('aria-label', stateNames[state]);
    });
    this.#columns.forEach(({ textOf, partsOf }, index) => {
      const place = this.#challenges.length + index;
      const text = textOf(pupil);
      if (texts[place] === text) return;
      texts[place] = text;
      cells[place]?.replaceChildren(...(partsOf?.(pupil) ?? [text]));
    });
  }

  /** The column of hunts is shown only if there was one. */
  #showHunts(): void {
    const hasHunts = this.pupils.some(({ hunts }) => hunts.length > 0);
    this.#table.toggleAttribute('data-hunts', hasHunts);
  }

  #pupilAt(target: EventTarget | null): Pupil | undefined {
    const row = target instanceof Element ? target.closest('tr[data-pupil]') : null;
    return this.#pupils.get(row?.getAttribute('data-pupil') ?? '');
  }

  #explain(target: EventTarget | null): void {
    const cell = target instanceof Element ? target.closest<HTMLTableCellElement>('th, td') : null;
    if (cell === null) return;
    const title = this.#challenges[cell.cellIndex - 1]?.title;
    const pupil = this.#pupilAt(cell);
    const name = pupil === undefined ? undefined : this.#use.nameOf(pupil);
    const says = cell.getAttribute('aria-label') ?? title ?? (cell.textContent || undefined);
    const text = [...new Set([name, title, says])].filter((each) => each !== undefined).join(': ');
    if (pupil !== undefined && cell.cellIndex > 0) cell.title = text;
    this.#use.explain(text);
  }
}
