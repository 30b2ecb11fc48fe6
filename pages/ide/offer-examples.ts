/** Offers the examples, whatever the editor contains: each opens in a new tab. */

import { button, byId, element } from '../shared/element.js';
import { examples, variablesOf } from './examples.js';

interface CodeMirror {
  getValue(): string;
  setValue(text: string): void;
  focus(): void;
}

/** Longer than a busy machine needs. */
const maxRenderMs = 10_000;

export function offerExamples(container: HTMLElement): void {
  const list = byId('examples', HTMLElement);
  const choices = examples.map((text) => {
    const [, name = ''] = /^(?:query|mutation|subscription) (\w+)/m.exec(text) ?? [];
    return button(name, () => void show(container, text));
  });
  list.replaceChildren(element('span', {}, 'Examples'), ...choices);
  list.hidden = false;
}

/** The entered text stays in its own tab. */
async function show(container: HTMLElement, text: string): Promise<void> {
  const query = '.graphiql-query-editor';
  if (editorIn(container, query)?.getValue().trim()) {
    container.querySelector<HTMLElement>('[aria-label="New tab"], .graphiql-tab-add')?.click();
    // A text that is set before the editor shows the new tab would be lost.
    const endsAt = performance.now() + maxRenderMs;
    while (editorIn(container, query)?.getValue() && performance.now() < endsAt) {
      await new Promise(requestAnimationFrame);
    }
  }
  editorIn(container, query)?.setValue(text);
  editorIn(container, '.graphiql-editor-tool')?.setValue(variablesOf(text));
  editorIn(container, query)?.focus();
}

/** The editor stores its instance in its element. */
function editorIn(container: HTMLElement, selector: string): CodeMirror | undefined {
  const found = container.querySelector<HTMLElement & { CodeMirror?: CodeMirror }>(
    `${selector} .CodeMirror`,
  );
  return found?.CodeMirror;
}
