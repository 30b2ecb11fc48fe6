/** The table of pupils, a row for each, sorted by any column. */

import { button, element } from '../shared/element.js';
import type { Pupil } from './api.js';

interface Column {
  readonly name: string;
  readonly label: string;
  readonly cellOf: (pupil: Pupil) => readonly (Node | string)[];
  readonly compare: (one: Pupil, other: Pupil) => number;
  readonly isNumber?: true;
}

const foundBy = ({ hunts }: Pupil) => hunts.reduce((sum, { found }) => sum + found, 0);

function foundIn(hunts: Pupil['hunts']): HTMLElement {
  const count = hunts.reduce((sum, hunt) => sum + hunt.count, 0);
  const points = hunts.reduce((sum, hunt) => sum + hunt.points, 0);
  const found = hunts.reduce((sum, hunt) => sum + hunt.found, 0);
  return element('span', { title: `${points} points` }, `${found} of ${count}`);
}

/** The time of the last solution is beside the count. */
function solvedOf(solved: Pupil['solved']): HTMLElement {
  const last = solved.at(-1);
  const when = last === undefined ? [] : [' ', quiet(clockTime(last.at))];
  return element('span', {}, String(solved.length), ...when);
}

const lastTime = ({ last }: Pupil) => (last === null ? 0 : Date.parse(last.time));

const columns: readonly Column[] = [
  {
    name: 'points',
    label: 'Points',
    isNumber: true,
    cellOf: ({ points }) => [String(points)],
    compare: (one, other) => other.points - one.points,
  },
  {
    name: 'solved',
    label: 'Solved',
    isNumber: true,
    cellOf: ({ solved }) => [solvedOf(solved)],
    compare: (one, other) => other.solved.length - one.solved.length,
  },
  {
    name: 'hintCost',
    label: 'Hint cost',
    isNumber: true,
    cellOf: ({ hintCost }) => [String(hintCost)],
    compare: (one, other) => other.hintCost - one.hintCost,
  },
  {
    name: 'hunts',
    label: 'Bugs found',
    isNumber: true,
    cellOf: ({ hunts }) => (hunts.length === 0 ? [] : [foundIn(hunts)]),
    compare: (one, other) => foundBy(other) - foundBy(one),
  },
  {
    name: 'wrongReports',
    label: 'Wrong reports',
    isNumber: true,
    cellOf: ({ wrongReports }) => [String(wrongReports)],
    compare: (one, other) => other.wrongReports - one.wrongReports,
  },
  {
    name: 'failures',
    label: 'Failures',
    isNumber: true,
    cellOf: ({ failures, requests }) => [`${failures} of ${requests}`],
    compare: (one, other) => other.failures - one.failures,
  },
  {
    name: 'current',
    label: 'Works on',
    cellOf: ({ current }) => (current === null ? [] : [currentOf(current)]),
    compare: (one, other) => (one.current?.id ?? '~').localeCompare(other.current?.id ?? '~'),
  },
  {
    name: 'last',
    label: 'Last request',
    cellOf: ({ last }) => (last === null ? [quiet('none yet')] : lastOf(last)),
    compare: (one, other) => lastTime(other) - lastTime(one),
  },
];

const byName = (one: Pupil, other: Pupil) => one.label.localeCompare(other.label);

export class PupilTable {
  readonly root: HTMLElement;
  readonly #body = element('tbody');
  readonly #heads = new Map<string, HTMLTableCellElement>();
  readonly #pupils = new Map<string, Pupil>();
  readonly #rows = new Map<string, HTMLTableRowElement>();
  readonly #open: (pupil: Pupil) => void;
  #sorting = 'points';

  constructor(open: (pupil: Pupil) => void) {
    this.#open = open;
    const heads = [{ name: 'name', label: 'Name', isNumber: undefined }, ...columns].map(
      ({ name, label, isNumber }) => {
        const head = element('th', { scope: 'col', class: isNumber && 'number' });
        head.append(button(label, () => this.#sortBy(name)));
        this.#heads.set(name, head);
        return head;
      },
    );
    this.root = element(
      'div',
      { class: 'table', tabindex: 0, role: 'region', 'aria-label': 'Pupils' },
      element('table', {}, element('thead', {}, element('tr', {}, ...heads)), this.#body),
    );
  }

  get pupils(): readonly Pupil[] {
    return [...this.#pupils.values()];
  }

  showAll(pupils: readonly Pupil[]): void {
    this.#pupils.clear();
    for (const pupil of pupils) this.#pupils.set(pupil.pupil, pupil);
    this.#rows.clear();
    this.#order();
  }

  show(pupil: Pupil): void {
    this.#pupils.set(pupil.pupil, pupil);
    const before = this.#rows.get(pupil.pupil);
    if (before !== undefined) fill(before, pupil);
    this.#order();
  }

  remove(pupil: string): void {
    this.#pupils.delete(pupil);
    this.#rows.get(pupil)?.remove();
    this.#rows.delete(pupil);
    this.#order();
  }

  #sortBy(name: string): void {
    this.#sorting = name;
    this.#order();
  }

  /** Moves only rows that are out of place, so that the focus stays. */
  #order(): void {
    for (const [name, head] of this.#heads) {
      if (name === this.#sorting) {
        head.setAttribute('aria-sort', name === 'name' ? 'ascending' : 'descending');
      } else head.removeAttribute('aria-sort');
    }
    const compare = columns.find(({ name }) => name === this.#sorting)?.compare ?? byName;
    const sorted = this.pupils.toSorted((one, other) => compare(one, other) || byName(one, other));
    sorted.forEach((pupil, place) => {
      const row = this.#rowOf(pupil);
      if (this.#body.children[place] !== row) {
        this.#body.insertBefore(row, this.#body.children[place] ?? null);
      }
    });
    while (this.#body.children.length > sorted.length) this.#body.lastElementChild?.remove();
  }

  #rowOf(pupil: Pupil): HTMLTableRowElement {
    const known = this.#rows.get(pupil.pupil);
    if (known !== undefined) return known;
    const { pupil: id } = pupil;
    const name = button(pupil.label, () => {
      const latest = this.#pupils.get(id);
      if (latest !== undefined) this.#open(latest);
    });
    name.classList.add('link');
    name.setAttribute('aria-haspopup', 'dialog');
    const row = element('tr', {}, element('th', { scope: 'row' }, name));
    fill(row, pupil);
    this.#rows.set(id, row);
    return row;
  }
}

function fill(row: HTMLTableRowElement, pupil: Pupil): void {
  const cells = columns.map(({ cellOf, isNumber }) =>
    element('td', { class: isNumber ? 'number' : 'one-line' }, ...cellOf(pupil)),
  );
  row.replaceChildren(...[...row.children].slice(0, 1), ...cells);
}

export function lastOf({ time, method, path, status }: NonNullable<Pupil['last']>) {
  return [
    element('code', {}, `${method} ${path}`),
    ' ',
    element('b', { class: status >= 400 ? 'failed' : 'worked' }, String(status)),
    ' ',
    quiet(clockTime(time)),
  ];
}

function currentOf({ id, missing }: NonNullable<Pupil['current']>): HTMLElement {
  return element('span', { title: missing[0] ?? '' }, id);
}

const quiet = (text: string) => element('span', { class: 'quiet' }, text);

export const clockTime = (time: string) => new Date(time).toLocaleTimeString();
