/** The page of all judges: what they have observed in the sandbox, live. */

import { attempt } from '../shared/attempt.js';
import { copyFrom } from '../shared/copy-button.js';
import { countsInWords, sumOf } from '../shared/counts.js';
import { byId } from '../shared/element.js';
import { onClick, showLive } from '../shared/live-page.js';
import { readStored, store } from '../shared/stored-text.js';
import { placeOfVisitor } from '../shared/visitor/place-of-visitor.js';
import { needSandbox } from '../shared/visitor/sandbox-name.js';
import {
  clearVerdicts,
  isRecording,
  type Judged,
  readVerdicts,
  setRecording,
  startRun,
} from './api.js';
import { find, isReached, showJudged } from './judge-view.js';

const unrecordedKey = 'practice-api-verdicts-unrecorded';

const sections = [...document.querySelectorAll<HTMLDetailsElement>('[data-judge]')];
const recording = byId('recording', HTMLInputElement);
const openAll = byId('open-all', HTMLButtonElement);

let place = '';
/** Sections that were opened for their first verdict; a reader may close them again. */
const opened = new Set<string>();

for (const section of sections) {
  const { judge = '' } = section.dataset;
  find(section, '[data-copy]').addEventListener('click', ({ currentTarget }) => {
    if (currentTarget instanceof HTMLButtonElement) void copyFrom(currentTarget, lineFor(judge));
  });
  section.querySelector('[data-clear]')?.addEventListener('click', () =>
    attempt(async () => {
      await clearVerdicts(judge);
      await refresh();
    }),
  );
  section.querySelector('[data-start]')?.addEventListener('click', () =>
    attempt(async () => {
      await startRun(find(section, '[data-plan]').dataset.plan ?? '');
      await refresh();
    }),
  );
}

const copyLine = byId('copy-line', HTMLButtonElement);
copyLine.addEventListener('click', () => void copyFrom(copyLine, lineFor('')));

const shown = byId('shown', HTMLSelectElement);
shown.addEventListener('change', () => {
  byId('judges', HTMLDivElement).dataset.shown = shown.value;
});

onClick('open-all', async () => {
  const isOpen = sections.every(({ open }) => open);
  for (const section of sections) section.open = !isOpen;
  openAll.textContent = isOpen ? 'Open all' : 'Close all';
});
onClick('print', async () => print());

recording.addEventListener('change', () =>
  attempt(async () => {
    store(unrecordedKey, recording.checked ? '' : 'yes');
    await setRecording(recording.checked);
  }),
);

openWhilePrinting();
openByAddress();
addEventListener('hashchange', openByAddress);
showLive(show, refresh);

function lineField(within: ParentNode, selector: string): HTMLInputElement {
  const found = within.querySelector(selector);
  if (!(found instanceof HTMLInputElement)) throw new Error(`The page has no ${selector}.`);
  return found;
}

async function show(): Promise<void> {
  needSandbox();
  place = await placeOfVisitor();
  opened.clear();
  lineField(document, '#line').value = lineFor('');
  for (const section of sections) {
    lineField(section, '[data-line]').value = lineFor(section.dataset.judge ?? '');
    const log = section.querySelector<HTMLAnchorElement>('[data-log]');
    if (log !== null) log.href = place + (log.dataset.log ?? '');
  }
  await refresh();
  // Evidence can be opened only if it was recorded.
  const isWanted = readStored(unrecordedKey) !== 'yes';
  if (isWanted && !(await isRecording())) await setRecording(true);
  recording.checked = await isRecording();
}

/** All judges if `judge` is empty. Exits with an error if a rule is broken. */
function lineFor(judge: string): string {
  const of = judge === '' ? '' : `judge=${judge}&`;
  return `curl -sS --fail-with-body '${place}/api/sandbox/verdicts?${of}fail=broken'`;
}

async function refresh(): Promise<void> {
  const judged = await readVerdicts();
  const byName = new Map(judged.map((each) => [each.judge, each]));
  for (const section of sections) {
    const each = byName.get(section.dataset.judge ?? '');
    if (each === undefined) continue;
    showJudged(section, each, place);
    if (isReached(each) && !opened.has(each.judge)) {
      opened.add(each.judge);
      section.open = true;
    }
  }
  showTotal(judged);
}

function showTotal(judged: readonly Judged[]): void {
  const counts = sumOf(judged.map((each) => each.counts));
  const reached = judged.filter(isReached).length;
  const text =
    reached === 0
      ? 'Nothing has been observed yet. Point your client at the URL of your sandbox; verdicts appear here at once.'
      : `${reached} of ${judged.length} judges have observed your client: ${countsInWords(counts)}.`;
  const total = byId('total', HTMLParagraphElement);
  if (total.textContent !== text) total.textContent = text;
}

/** The fragment of the URL is the name of a judge. */
function openByAddress(): void {
  const section = sections.find(({ id }) => id === location.hash.slice(1));
  if (section === undefined) return;
  section.open = true;
  section.scrollIntoView();
}

/** Paper shows every judge that has observed something. */
function openWhilePrinting(): void {
  let closed: HTMLDetailsElement[] = [];
  const printed = byId('printed', HTMLParagraphElement);
  addEventListener('beforeprint', () => {
    closed = sections.filter(({ open, dataset }) => !open && dataset.reached === 'true');
    for (const section of closed) section.open = true;
    printed.textContent = `${place}, ${new Date().toISOString()}. ${lineFor('')}`;
    printed.hidden = false;
  });
  addEventListener('afterprint', () => {
    for (const section of closed) section.open = false;
    printed.hidden = true;
  });
}
