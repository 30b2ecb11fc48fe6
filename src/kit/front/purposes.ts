/** The purposes that people come with: each has a page, a card on the front page, and a link in the header. */

/** An entry on the page of a purpose. */
export interface PurposeEntry {
  readonly purpose: PurposeName;
  readonly title: string;
  readonly says: string;
  /** Path of the base URL that a client is configured with. */
  readonly base?: string;
  /** Whether it is an API that tutorials name; the front page shows its base URL. */
  readonly isNamed?: boolean;
  /** A line to copy; {@link baseMark} stands for the base URL of the visitor's sandbox. */
  readonly line?: string;
  /** From the root of the service. */
  readonly links: readonly (readonly [text: string, path: string])[];
}

export const baseMark = '{base}';

export const purposes = [
  {
    name: 'tutorial',
    title: 'Follow a tutorial',
    says: 'An API with data to read, to change, and to build a page on.',
  },
  {
    name: 'test',
    title: 'Test a client',
    says: 'A base URL for each protocol, in your own sandbox, and a judge of what your client sends.',
  },
  {
    name: 'learn',
    title: 'Teach or learn',
    says: 'Lessons, tasks that are judged, and a live board for a class.',
  },
  {
    name: 'look-up',
    title: 'Look up',
    says: 'Every guide, endpoint, setting and file.',
  },
] as const;

export type PurposeName = (typeof purposes)[number]['name'];

export const purposePath = (name: PurposeName): string => `/start/${name}`;
