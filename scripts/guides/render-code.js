/**
 * Renders fenced blocks as HTML: commands with their output, programs, and tabs with the same in
 * several languages.
 */

import { highlight } from './highlight.js';
import { escapeHtml, withPlaceholders } from './html.js';

/** Labels of blocks in tabs. */
const titles = /** @type {Record<string, string>} */ ({
  csharp: 'C#',
  go: 'Go',
  http: 'HTTP',
  httpie: 'HTTPie',
  java: 'Java',
  js: 'JavaScript',
  powershell: 'PowerShell',
  python: 'Python',
  ts: 'TypeScript',
});

/** @typedef {{ info: string, text: string }} Fence */

export class CodeRenderer {
  #shell;
  #exampleCount = 0;
  #tabsCount = 0;

  /** @param {import('./read-commands.js').Shell} shell Of the page */
  constructor(shell) {
    this.#shell = shell;
  }

  /**
   * Renders adjacent blocks; the output of a program follows it as `text`.
   *
   * @param {readonly Fence[]} fences
   */
  render(fences) {
    const panels = fences.reduce(
      (all, fence) => {
        const last = all.at(-1);
        if (last !== undefined && languageOf(fence) === 'text') last.push(fence);
        else all.push([fence]);
        return all;
      },
      /** @type {Fence[][]} */ ([]),
    );
    const labels = panels.map(([fence]) => titles[languageOf(fence)]);
    const isTabbed =
      labels.length > 1 && !labels.includes(undefined) && new Set(labels).size === labels.length;
    const rendered = panels.map((each) => each.map((fence) => this.#renderFence(fence)).join(''));
    return isTabbed ? this.#renderTabs(labels.map(String), rendered) : rendered.join('');
  }

  /**
   * @param {readonly string[]} labels
   * @param {readonly string[]} panels
   */
  #renderTabs(labels, panels) {
    this.#tabsCount += 1;
    const name = `code-${this.#tabsCount}`;
    const choices = labels.map(
      (label, index) =>
        `<input type="radio" name="${name}" id="${name}-${index}" value="${label}"${index === 0 ? ' checked' : ''}><label for="${name}-${index}">${label}</label>`,
    );
    const parts = panels.map((panel) => `<div class="panel">${panel}</div>`);
    return `<div class="tabbed"><fieldset class="tabs"><legend class="unseen">Language</legend>${choices.join('')}</fieldset>${parts.join('')}</div>\n`;
  }

  /** @param {Fence} fence */
  #renderFence(fence) {
    const language = languageOf(fence);
    if (language === 'console') return this.#renderConsole(fence.text);
    const code = withPlaceholders(fence.text.replace(/\n$/, ''));
    if (language === 'text') return `<pre class="printed"><code>${escapeHtml(code)}</code></pre>\n`;
    const [, file] = /\b(?:from|as) (\S+)$/.exec(fence.info) ?? [];
    const title = file ?? titles[language] ?? '';
    this.#exampleCount += 1;
    return `<div class="code"><div class="bar"><span>${escapeHtml(title)}</span>${this.#copyButton()}</div><pre tabindex="0"><code>${highlight(code, language)}</code></pre></div>\n`;
  }

  /** @param {string} text */
  #renderConsole(text) {
    const calls = readCalls(text).map(({ command, output }) => {
      this.#exampleCount += 1;
      const request = this.#shell.read(command);
      const data =
        request === undefined ? '' : ` data-request="${escapeHtml(JSON.stringify(request))}"`;
      const send =
        request === undefined
          ? ''
          : `<button type="button" class="needs-js send" aria-label="Send example ${this.#exampleCount}">Send</button>`;
      const shown = highlight(withPlaceholders(command), 'sh');
      return `<div class="call"${data}><div class="command"><pre><code>${shown}</code></pre><p class="acts">${this.#copyButton()}${send}</p></div>${renderOutput(output)}</div>`;
    });
    return `<div class="code console">${calls.join('')}</div>\n`;
  }

  #copyButton() {
    return `<button type="button" class="needs-js copy" aria-label="Copy example ${this.#exampleCount}">Copy</button>`;
  }
}

/** @param {Fence | undefined} fence */
function languageOf(fence) {
  return fence?.info.split(' ', 1)[0] ?? '';
}

/** @param {string} output */
function renderOutput(output) {
  if (output === '') return '';
  const text = withPlaceholders(output);
  const isJson = /^[[{]["{[]/.test(text);
  return `<pre class="printed"><code>${isJson ? highlight(text, 'json') : escapeHtml(text)}</code></pre>`;
}

/**
 * Parses commands and their output: `$` begins a command, and a backslash at the end of a line
 * continues it.
 *
 * @param {string} text
 */
export function readCalls(text) {
  /** @type {{ command: string, output: string }[]} */
  const calls = [];
  let isContinued = false;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const last = calls.at(-1);
    if (line.startsWith('$ ')) calls.push({ command: line.slice(2), output: '' });
    else if (last !== undefined && isContinued) last.command += `\n${line.replace(/^> /, '')}`;
    else if (last !== undefined) last.output += `${line}\n`;
    isContinued = line.endsWith('\\') && (line.startsWith('$ ') || isContinued);
  }
  return calls.map(({ command, output }) => ({ command, output: output.trim() }));
}
