import { XMLParser, XMLValidator } from 'fast-xml-parser'

/** One element of an XML document: either text or other elements. */
export class XmlElement {
  /** The name with its prefix, if it has one: `m:error`. */
  readonly name: string
  /** The elements in it, in order; empty when it contains text. */
  readonly children: readonly XmlElement[]
  /** The text in it, with references resolved; empty when it contains elements. */
  readonly text: string

  /**
   * @param name - the name with its prefix
   * @param children - the elements in it
   * @param text - the text in it
   */
  constructor(name: string, children: readonly XmlElement[], text: string) {
    this.name = name
    this.children = children
    this.text = text
  }

  /** Returns the first element with a name, prefix aside; `undefined` when it is missing. */
  child(name: string): XmlElement | undefined {
    return this.children.find((child) => child.isNamed(name))
  }

  /** Returns all elements with a name, prefix aside, in order. */
  childrenNamed(name: string): readonly XmlElement[] {
    return this.children.filter((child) => child.isNamed(name))
  }

  /** Tells whether the element has a name, prefix aside. */
  isNamed(name: string): boolean {
    return this.name === name || this.name.endsWith(`:${name}`)
  }
}

/** Far above any XML of the Table service. */
const LONGEST_XML = 64 * 1024

const DECLARATION = /^\ufeff?(?:<\?xml\s[^<>]*\?>)?/
const COMMENT = /<!--(?:(?!--).)*-->/gs
/** A document type, CDATA, a processing instruction, or a `<` within a tag, which the validator accepts. */
const INVALID_MARKUP = /<[?!]|<[^>]*</
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/** References are resolved below, so that a document can define none of its own. */
const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
  preserveOrder: true,
})

/** A node of the parser: `{ name: nodes }`, or `{ '#text': text }`. */
type Node = Readonly<Record<string, unknown>>

/**
 * Parses an XML document: elements and text. Attributes and comments are ignored.
 *
 * A document type could define entities that grow without bound. The service never sends one, so a
 * document with one is rejected.
 *
 * @param document - the text, with or without a byte order mark
 * @returns the root; `undefined` unless the text is well-formed XML of at most 65,536 characters,
 * whose elements contain either text or elements
 */
export function parseXml(document: string): XmlElement | undefined {
  if (document.length > LONGEST_XML || NOT_XML.test(document)) return undefined
  const text = document.replace(DECLARATION, '').replace(COMMENT, '')
  // The parser drops text after the root.
  if (INVALID_MARKUP.test(text) || !text.trimEnd().endsWith('>')) return undefined
  try {
    if (XMLValidator.validate(text) !== true) return undefined
    const [root, ...others] = parser.parse(text).filter(isElement)
    return root === undefined || others.length > 0 ? undefined : toElement(root)
  } catch {
    return undefined
  }
}

function isElement(node: Node): boolean {
  return !('#text' in node)
}

/** Returns `undefined` for text beside elements, and for an unknown reference. */
function toElement(node: Node): XmlElement | undefined {
  const [name = '', content] = Object.entries(node)[0] ?? []
  const nodes = content as readonly Node[]
  const children = nodes.filter(isElement).map(toElement)
  const text = nodes.map((child) => child['#text'] ?? '').join('')
  if (children.length === 0) {
    const resolved = resolveReferences(text)
    return resolved === undefined ? undefined : new XmlElement(name, [], resolved)
  }
  const isWhole = children.every((child) => child !== undefined) && text.trim() === ''
  return isWhole ? new XmlElement(name, children, '') : undefined
}

const REFERENCE = /&(?:#(\d{1,7})|#x([\dA-Fa-f]{1,6})|(\w+))?(;)?/g
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['gt', '>'],
  ['lt', '<'],
  ['quot', '"'],
])

function resolveReferences(text: string): string | undefined {
  let isKnown = true
  const resolved = text.replace(REFERENCE, (_, decimal, hexadecimal, name, end) => {
    const digits = decimal ?? hexadecimal
    const code = digits === undefined ? undefined : Number.parseInt(digits, decimal ? 10 : 16)
    const character = code === undefined ? NAMED.get(name ?? '') : String.fromCodePoint(code)
    if (end !== undefined && character !== undefined && !NOT_XML.test(character)) return character
    isKnown = false
    return ''
  })
  return isKnown ? resolved : undefined
}
