import type { KeyCodec } from '../keys/key-codec.ts'

/** The text that all keys of a template begin with. */
export interface KeyBeginning {
  /** The text; empty when the keys can begin with anything. */
  readonly text: string
  /** Whether the text is the whole key. */
  readonly isWhole: boolean
}

/** Returns the text that all keys of a template begin with. */
export function beginningOf({ segments }: KeyCodec): KeyBeginning {
  const [first = '', second] = segments
  if (typeof first === 'object') return { text: '', isWhole: false }
  return { text: first, isWhole: second === undefined }
}

/** Whether a key begins with the text. */
export function hasBeginning(key: unknown, { text, isWhole }: KeyBeginning): boolean {
  return typeof key === 'string' && (isWhole ? key === text : key.startsWith(text))
}

/** Whether one key could begin with both texts. */
export function canBeBoth(one: KeyBeginning, other: KeyBeginning): boolean {
  if (one.isWhole) return hasBeginning(one.text, other)
  return hasBeginning(other.text, one) || (!other.isWhole && hasBeginning(one.text, other))
}
