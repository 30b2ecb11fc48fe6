/** Read guides and completed exercises, stored in this browser. */

import { element } from '../shared/element.js';
import { readStored, store } from '../shared/stored-text.js';

const key = 'practice-api-guides';

interface Progress {
  /** Names of guides. */
  readonly read: readonly string[];
  /** Numbers of exercises, by guide. */
  readonly done: Readonly<Record<string, readonly number[]>>;
}

export function keepProgress(): void {
  const name = document.querySelector<HTMLElement>('[data-guide]')?.dataset.guide ?? '';
  const exercises = [...document.querySelectorAll<HTMLElement>('.exercises > li')];
  const doneHere = () => progress().done[name] ?? [];

  for (const [index, exercise] of exercises.entries()) {
    const number = index + 1;
    const box = checkbox(`Exercise ${number} is done`, doneHere().includes(number), (isDone) => {
      const others = doneHere().filter((each) => each !== number);
      const done = isDone ? [...others, number] : others;
      keep({ ...progress(), done: { ...progress().done, [name]: done } });
      show();
    });
    exercise.append(box);
  }
  const ways = document.querySelector('.ways');
  if (ways !== null) {
    const box = checkbox('I have read this guide', progress().read.includes(name), (isRead) => {
      const others = progress().read.filter((each) => each !== name);
      keep({ ...progress(), read: isRead ? [...others, name] : others });
      show();
    });
    ways.before(box);
  }
  show();

  function show(): void {
    const { read } = progress();
    const links = [...document.querySelectorAll<HTMLAnchorElement>('.rail a, .paths a, .cards a')];
    for (const link of links) {
      const isRead = read.some((each) => link.pathname.endsWith(`/guides/${each}`));
      link.classList.toggle('is-read', isRead);
      if (isRead) link.title = 'You have read it';
      else link.removeAttribute('title');
    }
    const sentences = [`Guides read: ${read.length}.`];
    if (exercises.length > 0) {
      sentences.push(`Exercises done here: ${doneHere().length} of ${exercises.length}.`);
    }
    const line = document.getElementById('guide-progress');
    if (line !== null) line.textContent = sentences.join(' ');
  }
}

function checkbox(text: string, isChecked: boolean, change: (isChecked: boolean) => void) {
  const input = element('input', { type: 'checkbox', checked: isChecked });
  input.addEventListener('change', () => change(input.checked));
  return element('label', { class: 'mark' }, input, text);
}

/** Returns an empty progress if the stored one is missing or malformed. */
function progress(): Progress {
  try {
    const { read, done } = JSON.parse(readStored(key) ?? '{}') as Partial<Progress>;
    return { read: Array.isArray(read) ? read : [], done: done ?? {} };
  } catch {
    return { read: [], done: {} };
  }
}

function keep(progress: Progress): void {
  store(key, JSON.stringify(progress));
}
