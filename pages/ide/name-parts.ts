/**
 * Names the parts of the editor for screen readers, makes them reachable by keyboard, and wraps their lines. The editor draws
 * its parts again and again, so they are corrected after each change.
 */

const editors = [
  ['.graphiql-query-editor', 'GraphQL document'],
  ['.graphiql-editor-tool > .graphiql-editor:nth-child(1)', 'Variables, as JSON'],
  ['.graphiql-editor-tool > .graphiql-editor:nth-child(2)', 'Headers, as JSON'],
  ['.graphiql-response', 'Response'],
] as const;

export function nameParts(container: HTMLElement): void {
  const correct = () => {
    for (const [selector, name] of editors) nameEditor(container, selector, name);
    for (const tab of container.querySelectorAll<HTMLElement>('.graphiql-tab')) makeItem(tab);
    container.querySelector('[role="tablist"]:has(.graphiql-tab)')?.removeAttribute('role');
    // The key that it names opens the search of the site.
    const search = container.querySelector('.graphiql-doc-explorer-search-input input');
    set(search, 'placeholder', 'Find');
    container.querySelectorAll<Editor>('.CodeMirror').forEach(wrapLines);
  };
  const attributes = ['role', 'aria-selected', 'class', 'tabindex'];
  new MutationObserver(correct).observe(container, {
    ...{ childList: true, subtree: true, attributes: true },
    attributeFilter: attributes,
  });
  correct();
}

/** The editor stores its instance in its element. */
interface Editor extends HTMLElement {
  readonly CodeMirror?: {
    getOption(name: 'lineWrapping'): boolean;
    setOption(name: 'lineWrapping', value: boolean): void;
  };
}

function wrapLines({ CodeMirror }: Editor): void {
  if (CodeMirror?.getOption('lineWrapping') === false) CodeMirror.setOption('lineWrapping', true);
}

function nameEditor(container: HTMLElement, selector: string, name: string): void {
  for (const editor of container.querySelectorAll<HTMLElement>(`${selector} .CodeMirror`)) {
    set(editor.querySelector('textarea'), 'aria-label', name);
    const scrolled = editor.querySelector('.CodeMirror-scroll');
    set(scrolled, 'tabindex', '0');
    set(scrolled, 'role', 'group');
    set(scrolled, 'aria-label', `${name}: text`);
  }
}

/** A tab has buttons inside, which the role of a tab would hide: it becomes an item with its current one marked. */
function makeItem(tab: HTMLElement): void {
  tab.removeAttribute('role');
  tab.removeAttribute('aria-selected');
  const isCurrent = tab.classList.contains('graphiql-tab-active');
  set(tab.querySelector('.graphiql-tab-button'), 'aria-current', String(isCurrent));
}

function set(element: Element | null, name: string, value: string): void {
  if (element !== null && element.getAttribute(name) !== value) element.setAttribute(name, value);
}
