import type { HttpHeaders } from '../http/transport.ts'
import { XML_READ_HEADERS } from './read-xml.ts'

/** The headers of a request with an XML body. */
export const XML_BODY_HEADERS: HttpHeaders = Object.freeze({
  ...XML_READ_HEADERS,
  'content-type': 'application/xml',
})

/** The first characters of every XML body. */
const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'

/**
 * The content of an XML element: text, or its children by name. An array repeats the element, and `undefined`
 * leaves it out.
 */
export type XmlContent = string | number | boolean | undefined | XmlContent[] | XmlChildren

/** The children of an XML element, in their order. */
export interface XmlChildren {
  readonly [name: string]: XmlContent
}

/**
 * Writes a document, such as the body of a request.
 *
 * @param name - the name of the root element
 * @param content - its content
 *
 * @example
 * ```ts
 * writeXml('Cors', { CorsRule: [{ MaxAgeInSeconds: 5 }] })
 * // <?xml version="1.0" encoding="utf-8"?><Cors><CorsRule><MaxAgeInSeconds>5</MaxAgeInSeconds></CorsRule></Cors>
 * ```
 */
export function writeXml(name: string, content: XmlChildren): string {
  return DECLARATION + writeElement(name, content)
}

const MARKUP = /[&<>]/g
const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Writes an element: see {@link writeXml}. */
export function writeElement(name: string, content: XmlContent): string {
  if (content === undefined) return ''
  if (Array.isArray(content)) return content.map((each) => writeElement(name, each)).join('')
  const inner = typeof content === 'object' ? writeChildren(content) : escaped(String(content))
  return inner === '' ? `<${name}/>` : `<${name}>${inner}</${name}>`
}

function writeChildren(children: XmlChildren): string {
  return Object.entries(children)
    .map(([name, content]) => writeElement(name, content))
    .join('')
}

function escaped(text: string): string {
  return text.replace(MARKUP, (character) => REFERENCES[character] ?? character)
}
