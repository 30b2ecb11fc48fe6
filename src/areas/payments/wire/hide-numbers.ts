/** Replaces long rows of digits, which may be card numbers. */
export function hideNumbers(text: string): string {
  return text.replace(/\d[\d -]{10,}\d/g, '[number]');
}
