/** What every XML body begins with. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'

/**
 * An element with elements in it.
 *
 * @param name - the element's name
 * @param content - XML; empty for an empty element
 */
export function writeElement(name: string, content: string): string {
  return content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`
}

/**
 * An element with text in it.
 *
 * @param name - the element's name
 * @param text - any text that XML can hold; what is markup in it is escaped
 */
export function writeText(name: string, text: string | number | boolean): string {
  const escaped = String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return writeElement(name, escaped.replaceAll('>', '&gt;'))
}
