import type { KeyCodec } from '../keys/key-codec.ts'

/** What all keys of a template begin with. */
export interface KeyBeginning {
  /** The text; empty when they may begin with anything. */
  readonly text: string
  /** Whether the text is the key, all of it. */
  readonly isWhole: boolean
}

/** What the keys of a template begin with, whatever the values of its parts. */
export function beginningOf({ segments }: KeyCodec): KeyBeginning {
  const [first = '', second] = segments
  if (typeof first === 'object') return { text: '', isWhole: false }
  return { text: first, isWhole: second === undefined }
}

/** Whether a key begins so. */
export function hasBeginning(key: unknown, { text, isWhole }: KeyBeginning): boolean {
  return typeof key === 'string' && (isWhole ? key === text : key.startsWith(text))
}

/** Whether one key could begin in both ways. */
export function canBeBoth(one: KeyBeginning, other: KeyBeginning): boolean {
  if (one.isWhole) return hasBeginning(one.text, other)
  return hasBeginning(other.text, one) || (!other.isWhole && hasBeginning(one.text, other))
}
