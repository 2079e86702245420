import { isWellFormed } from '@rowkey/odata'
import { entitiesInputError } from '../errors/codes.ts'

/**
 * Escapes a text so that a key can hold it, and so that it sorts before any longer text with the same
 * beginning: ASCII letters, digits and `'()*-_.` stay, every other byte of its UTF-8 becomes `!XX`. An
 * empty text becomes `!`.
 *
 * @param text - the text
 * @throws InputError (`InvalidValue`) for half of a surrogate pair
 *
 * @example
 * ```ts
 * escapeKeyText('a/b~c') // 'a!2Fb!7ec'
 * ```
 */
export function escapeKeyText(text: string): string {
  if (text === '') return '!'
  if (!isWellFormed(text)) {
    throw entitiesInputError('InvalidValue', 'A key cannot contain half of a surrogate pair.')
  }
  return encodeURIComponent(text).replaceAll('!', '%21').replaceAll('~', '%7e').replaceAll('%', '!')
}
