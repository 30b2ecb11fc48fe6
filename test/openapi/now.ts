/** The time of all calls. */

export const nowMs = Date.UTC(2026, 8, 1, 12);
