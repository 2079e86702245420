import fc from 'fast-check'

/** The code points of UTF-16 that are halves of a pair, and no characters. */
const [FIRST_HALF, HALVES] = [0xd800, 0x800]

/** Any character of Unicode. fast-check's own `unit: 'binary'` works a second to list them. */
const character = fc.integer({ min: 0, max: 0x10ffff - HALVES }).map(
  (at) => String.fromCodePoint(at < FIRST_HALF ? at : at + HALVES),
  // With this it also finds dangerous text, such as `__proto__`.
  (text) => {
    const at = typeof text === 'string' && /^.$/su.test(text) ? (text.codePointAt(0) ?? 0) : -1
    if (at < 0 || (at >= FIRST_HALF && at < FIRST_HALF + HALVES)) throw new Error('not a character')
    return at < FIRST_HALF ? at : at - HALVES
  },
)

/**
 * Makes any text of whole characters.
 *
 * @param limits - how long it is
 */
export const anyText = (
  limits: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> => fc.string({ unit: character, ...limits })
