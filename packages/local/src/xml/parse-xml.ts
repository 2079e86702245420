import { ServiceFault } from '../fault/service-fault.ts'
import type { XmlElement } from './xml-element.ts'

interface OpenElement extends XmlElement {
  readonly children: XmlElement[]
  text: string
}

/** Characters of a document: many times what the largest that the service takes could need. */
const MAX_LENGTH = 65_536

const DECLARATION = /^\ufeff?(?:<\?xml\s[^<>]*\?>)?/
const NOT_OF_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const ATTRIBUTES = `(?:\\s+[\\w.:-]+\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*`
const TOKEN = new RegExp(
  `<!--(?:(?!--)[^])*-->|</([A-Za-z_][\\w.-]*)\\s*>|<([A-Za-z_][\\w.-]*)${ATTRIBUTES}\\s*(/)?>|([^<]+)`,
  'uy',
)
const REFERENCE = /&(?:#(\d{1,7})|#x([\dA-Fa-f]{1,6})|(\w+))?(;)?/g
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['gt', '>'],
  ['lt', '<'],
  ['quot', '"'],
])

/**
 * Reads an XML document as far as the service needs it: elements and text. Attributes and comments
 * are passed over. A DOCTYPE is refused, and so is every entity but the five of XML itself: nothing
 * in a document is ever expanded.
 *
 * @throws ServiceFault InvalidXmlDocument
 */
export function parseXml(document: string): XmlElement {
  if (document.length > MAX_LENGTH || NOT_OF_XML.test(document)) throw malformed()
  const root: OpenElement = { name: '', children: [], text: '' }
  const open = [root]
  let at = DECLARATION.exec(document)?.[0].length ?? 0
  while (at < document.length) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(document)
    if (token === null) throw malformed()
    at = TOKEN.lastIndex
    take(open, token)
  }
  const [only, ...others] = root.children
  if (open.length !== 1 || only === undefined || others.length > 0) throw malformed()
  checkContent(root)
  return only
}

/** Opens, closes, or adds text to the innermost open element. */
function take(open: OpenElement[], token: RegExpExecArray): void {
  const [, closed, opened, isEmpty, text] = token
  const inner = open.at(-1) as OpenElement // the root is never closed
  if (text !== undefined) {
    inner.text += text.replace(REFERENCE, resolve)
  } else if (opened !== undefined) {
    const element: OpenElement = { name: opened, children: [], text: '' }
    inner.children.push(element)
    if (isEmpty === undefined) open.push(element)
  } else if (closed !== undefined) {
    if (inner.name !== closed || open.length === 1) throw malformed()
    checkContent(inner)
    open.pop()
  }
}

function checkContent({ children, text }: XmlElement): void {
  if (children.length > 0 && text.trim() !== '') throw malformed()
}

function resolve(
  _: string,
  decimal: string | undefined,
  hexadecimal: string | undefined,
  name: string | undefined,
  end: string | undefined,
): string {
  const digits = decimal ?? hexadecimal
  const code = digits === undefined ? undefined : Number.parseInt(digits, decimal ? 10 : 16)
  const character = code === undefined ? NAMED.get(name ?? '') : characterOf(code)
  if (character === undefined || end === undefined) throw malformed()
  return character
}

function characterOf(code: number): string | undefined {
  const character = code > 0x10ffff ? undefined : String.fromCodePoint(code)
  return character === undefined || NOT_OF_XML.test(character) ? undefined : character
}

function malformed(): ServiceFault {
  return new ServiceFault('InvalidXmlDocument')
}
