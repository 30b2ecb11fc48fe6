/** Statuses that are chosen by weight, such as `200:3,503:1`. */

export interface StatusChoice {
  readonly status: number;
  /** Above 0 for at least one status. */
  readonly weight: number;
}

const maxChoices = 20;
const form = /^([2-5]\d\d)(?::(\d{1,6}(?:\.\d{1,6})?))?$/;

/**
 * Parses one status or several, separated by commas, each with an optional weight (default 1).
 * Returns `undefined` if the text is malformed.
 */
export function parseStatusChoices(text: string): readonly StatusChoice[] | undefined {
  const choices: StatusChoice[] = [];
  for (const part of text.split(',', maxChoices + 1)) {
    const [, status, weight = '1'] = form.exec(part.trim()) ?? [];
    if (status === undefined) return undefined;
    choices.push({ status: Number(status), weight: Number(weight) });
  }
  const isAnyPossible = choices.some(({ weight }) => weight > 0);
  return choices.length <= maxChoices && isAnyPossible ? choices : undefined;
}

/** `draw` is at least 0 and below 1. */
export function chooseStatus(choices: readonly StatusChoice[], draw: number): number {
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  let left = draw * total;
  for (const { status, weight } of choices) {
    left -= weight;
    if (left < 0) return status;
  }
  // Because of rounding, the sum of fractions may be less than its parts.
  return choices.findLast(({ weight }) => weight > 0)?.status ?? 200;
}
