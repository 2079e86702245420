/** What JSON must escape, and halves of surrogate pairs that stand alone; most texts hold none. */
const SPECIAL = /["\\\p{Cc}\p{Surrogate}]/u
const LONE_SURROGATE = /\p{Surrogate}/u

/** A text as a JSON string. */
export function writeJsonText(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(text) : `"${text}"`
}

/**
 * Whether UTF-8 can carry a text: no half of a surrogate pair stands alone in it.
 *
 * @param text - any text
 */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text)
}
