/** Moves through a table by arrow keys, as in a spreadsheet: the table is one stop of the Tab key. */

const rowsOfPage = 10;

const targetOf = (cell: HTMLTableCellElement): HTMLElement => cell.querySelector('button') ?? cell;

function cellOf(target: EventTarget | null): HTMLTableCellElement | null {
  return target instanceof Element ? target.closest<HTMLTableCellElement>('th, td') : null;
}

export class GridKeys {
  readonly #table: HTMLTableElement;
  #stop: HTMLElement | undefined;

  constructor(table: HTMLTableElement) {
    this.#table = table;
    table.addEventListener('keydown', (event) => this.#move(event));
    table.addEventListener('focusin', ({ target }) => {
      const cell = cellOf(target);
      if (cell !== null) this.#stopAt(targetOf(cell));
    });
  }

  /** Is called after rows came or left: one cell remains the stop. */
  keepStop(): void {
    if (this.#stop !== undefined && this.#table.contains(this.#stop)) return;
    const first = this.#table.rows[0]?.cells[0];
    if (first !== undefined) this.#stopAt(targetOf(first));
  }

  #stopAt(target: HTMLElement): void {
    if (this.#stop === target) return;
    if (this.#stop !== undefined) this.#stop.tabIndex = -1;
    target.tabIndex = 0;
    this.#stop = target;
  }

  #move(event: KeyboardEvent): void {
    const cell = cellOf(event.target);
    const row = cell?.parentElement;
    if (event.altKey || event.metaKey || !(row instanceof HTMLTableRowElement) || !cell) return;
    const { rows } = this.#table;
    const shown = [...row.cells].filter(isShown);
    const [place, last] = [shown.indexOf(cell), shown.length - 1];
    const { rowIndex } = row;
    const end = rows.length - 1;
    const places: Readonly<Record<string, readonly [row: number, place: number]>> = {
      ArrowUp: [rowIndex - 1, place],
      ArrowDown: [rowIndex + 1, place],
      ArrowLeft: [rowIndex, place - 1],
      ArrowRight: [rowIndex, place + 1],
      PageUp: [Math.max(0, rowIndex - rowsOfPage), place],
      PageDown: [Math.min(end, rowIndex + rowsOfPage), place],
      Home: [event.ctrlKey ? 0 : rowIndex, 0],
      End: [event.ctrlKey ? end : rowIndex, last],
    };
    const [toRow, toPlace] = places[event.key] ?? [-1, -1];
    const next = [...(rows[toRow]?.cells ?? [])].filter(isShown)[toPlace];
    if (next === undefined) return;
    event.preventDefault();
    targetOf(next).focus();
  }
}

/** Columns are hidden by the style sheet, such as for a projector. */
const isShown = (cell: HTMLElement) => cell.offsetParent !== null;
