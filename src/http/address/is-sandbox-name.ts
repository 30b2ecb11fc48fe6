const validName = /^[\w.-]{1,64}$/;

export function isSandboxName(text: string): boolean {
  return validName.test(text);
}
