/** HTML as a tagged template, which escapes every value that is not itself HTML. */

import { escapeQuotedMarkup } from '#base/text/escape-markup.js';

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `undefined` and `false` become empty; lists are joined. */
export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

/** Values may be in elements and in quoted attributes, but not in scripts, styles or URLs. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) text += write(value) + (strings[index + 1] ?? '');
  return new Html(text);
}

function write(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (value === undefined || value === false) return '';
  if (typeof value === 'object') return value.map(write).join('');
  return escapeQuotedMarkup(value);
}
