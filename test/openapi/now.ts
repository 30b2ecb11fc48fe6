/** The time at which all calls are made. */

export const nowMs = Date.UTC(2026, 8, 1, 12);
