import type { HttpHeaders } from '../http/transport.ts'
import { XML_READ_HEADERS } from './read-xml.ts'

/** The headers of a request with an XML body. */
export const XML_BODY_HEADERS: HttpHeaders = Object.freeze({
  ...XML_READ_HEADERS,
  'content-type': 'application/xml',
})

/** The first characters of every XML body. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'

/**
 * Writes an element that contains elements.
 *
 * @param name - the element's name
 * @param content - XML; empty for an empty element
 */
export function writeElement(name: string, content: string): string {
  return content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`
}

const MARKUP = /[&<>]/g
const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * Writes an element that contains text.
 *
 * @param name - the element's name
 * @param text - any text of XML characters; markup in it is escaped
 */
export function writeText(name: string, text: string | number | boolean): string {
  const escaped = String(text).replace(MARKUP, (character) => REFERENCES[character] ?? character)
  return writeElement(name, escaped)
}
