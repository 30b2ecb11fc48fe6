/** The revisions of the Model Context Protocol, by their dates. */

export const revisions = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
] as const;

export type Revision = (typeof revisions)[number];

/** The revision without sessions: each request names its revision. */
export const statelessRevision = '2026-07-28';

/** Revisions that a session over Streamable HTTP may have, the newest first. */
export const sessionRevisions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** The revision of the transport with two paths. */
export const sseRevision = '2024-11-05';

export function isRevision(text: unknown): text is Revision {
  return (revisions as readonly unknown[]).includes(text);
}

/** Dates of this form compare like texts. */
export function isSince(revision: Revision, first: Revision): boolean {
  return revision >= first;
}
