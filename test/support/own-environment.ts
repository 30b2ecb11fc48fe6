/** vitest sets BASE_URL, which is a setting of programs that tests start. */

delete process.env.BASE_URL;
