/** The bugs of the sandbox: switch on, count, give up. */

import { addressOf } from '../shared/address-of.js';
import { callJson } from '../shared/call.js';
import { confirm } from '../shared/confirm.js';
import { byId, element } from '../shared/element.js';
import { needSandbox } from '../shared/visitor/sandbox-name.js';

export interface Bug {
  readonly id: string;
  readonly level: string;
  readonly area: string;
  readonly wrong: string;
  readonly right: string;
  readonly endpoints: readonly string[];
  readonly found?: boolean;
}

interface Hunt {
  readonly level: string | null;
  readonly seed: number | null;
  readonly count: number;
  readonly left: number;
  readonly wrongReports: number;
  readonly points: number;
  readonly ofClass: boolean;
  readonly found: readonly Bug[];
}

const path = '/api/sandbox/bugs';

const left = byId('left', HTMLParagraphElement);
const list = byId('found', HTMLUListElement);
const giveUpButton = byId('give-up', HTMLButtonElement);

/** Shows how many bugs are left. */
export async function showHunt(): Promise<void> {
  show(await callJson<Hunt>(addressOf(path)));
}

function show(hunt: Hunt): void {
  const { level, found, ofClass } = hunt;
  giveUpButton.disabled = level === null || ofClass;
  list.replaceChildren(...found.map(describe));
  left.textContent =
    level === null
      ? 'No bugs are switched on.'
      : level === 'none'
        ? 'There are no bugs. No report should be a bug.'
        : textOf(hunt);
}

function textOf({ level, seed, count, left: rest, wrongReports, points, ofClass }: Hunt): string {
  const kind = [level, ...(seed === null ? [] : [`seed ${seed}`]), ...(ofClass ? ['class'] : [])];
  return `${rest} of ${count} bugs left (${kind.join(', ')}). Points: ${points}. Wrong reports: ${wrongReports}.`;
}

function describe({ wrong, right, endpoints, found }: Bug): HTMLElement {
  return element(
    'li',
    {},
    element('strong', {}, wrong),
    `${right} `,
    element('span', { class: 'code quiet' }, endpoints.join(', ')),
    ...(found === undefined ? [] : [found ? ' Found.' : ' Not found.']),
  );
}

export async function switchOn(): Promise<void> {
  needSandbox();
  const seed = byId('seed', HTMLInputElement).value;
  const body = {
    level: byId('level', HTMLSelectElement).value,
    count: byId('count', HTMLInputElement).valueAsNumber,
    ...(seed !== '' && { seed: Number(seed) }),
  };
  show(await callJson<Hunt>(addressOf(path), 'PUT', body));
}

export async function giveUp(): Promise<void> {
  if (
    !(await confirm('Give up? This names all bugs and switches them off.', 'Give up', 'Continue'))
  )
    return;
  const { bugs } = await callJson<{ readonly bugs: readonly Bug[] }>(addressOf(path), 'DELETE');
  giveUpButton.disabled = true;
  left.textContent = bugs.length === 0 ? 'There were no bugs.' : 'These were the bugs.';
  list.replaceChildren(...bugs.map(describe));
}
