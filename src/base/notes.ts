/** Notes on objects, as private members: the garbage collector spends too long on the entries of a `WeakMap`. */

export interface Notes<Note> {
  find(target: object): Note | undefined;
  set(target: object, note: Note): void;
}

/** Makes derived classes add their private members to an existing object. */
class Existing {
  constructor(target: object) {
    // biome-ignore lint/correctness/noConstructorReturn: it is the purpose of the class.
    return target;
  }
}

export function createNotes<Note>(): Notes<Note> {
  /** Frozen objects may become closed to private members as well. */
  const ofFrozen = new WeakMap<object, Note>();

  return class Noted extends Existing {
    #note: Note;

    private constructor(target: object, note: Note) {
      super(target);
      this.#note = note;
    }

    static find(target: object): Note | undefined {
      return #note in target ? target.#note : ofFrozen.get(target);
    }

    static set(target: object, note: Note): void {
      if (#note in target) target.#note = note;
      else if (Object.isExtensible(target)) new Noted(target, note);
      else ofFrozen.set(target, note);
    }
  };
}
