/**
 * Escapes a text so that a key can hold it, and so that it sorts before any longer text with the same
 * beginning: ASCII letters, digits and `'()*-_.` stay, every other byte of its UTF-8 becomes `!XX`. An
 * empty text becomes `!`.
 *
 * @param text - the text
 *
 * @example
 * ```ts
 * escapeKeyText('a/b~c') // 'a!2Fb!7ec'
 * ```
 */
export function escapeKeyText(text: string): string {
  if (text === '') return '!'
  return encodeURIComponent(text).replaceAll('!', '%21').replaceAll('~', '%7e').replaceAll('%', '!')
}
