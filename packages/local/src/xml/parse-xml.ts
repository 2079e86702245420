import { Rejection } from '../rejection/rejection.ts'

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
 * @throws Rejection InvalidXmlDocument
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

/**
 * The children of an element by their names.
 *
 * @param element - has nothing but these children, each once at most, in any order
 * @param names - the children that it may have
 * @throws Rejection InvalidXmlDocument
 */
export function membersOf<Name extends string>(
  element: XmlElement,
  names: readonly Name[],
): Readonly<Partial<Record<Name, XmlElement>>> {
  const members: Partial<Record<Name, XmlElement>> = {}
  if (element.children.length === 0 && element.text.trim() !== '') throw malformed()
  for (const child of element.children) {
    const name = names.find((one) => one === child.name)
    if (name === undefined || members[name] !== undefined) throw malformed()
    members[name] = child
  }
  return members
}

/**
 * The text of an element that holds nothing else.
 *
 * @throws Rejection InvalidXmlDocument, also when the element is missing
 */
export function textOf(element: XmlElement | undefined): string {
  if (element === undefined || element.children.length > 0) throw malformed()
  return element.text
}

function malformed(): Rejection {
  return new Rejection('InvalidXmlDocument')
}

/** An element of the XML that the service reads: it holds either text or other elements. */
export interface XmlElement {
  /** As it was written, with its prefix if it has one. */
  readonly name: string
  /** In the order in which they stand; none where there is text. */
  readonly children: readonly XmlElement[]
  /** The text with its references resolved; blank when there are children. */
  readonly text: string
}
