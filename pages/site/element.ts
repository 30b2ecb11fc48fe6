/** Replaces `shared/element.ts` where a build writes pages as text: the same elements, as HTML. */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** HTML that is complete. */
class Markup {
  readonly #html: string;

  constructor(html: string) {
    this.#html = html;
  }

  toString(): string {
    return this.#html;
  }
}

/** `true` sets an empty attribute; `false` and `undefined` set none. */
export function element(
  name: string,
  attributes: Attributes = {},
  ...children: readonly (Markup | string)[]
): Markup {
  const set = Object.entries(attributes).flatMap(([attribute, value]) =>
    value === undefined || value === false
      ? []
      : [` ${attribute}="${value === true ? '' : escaped(String(value))}"`],
  );
  const inside = children.map((child) =>
    child instanceof Markup ? String(child) : escaped(child),
  );
  return new Markup(`<${name}${set.join('')}>${inside.join('')}</${name}>`);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
