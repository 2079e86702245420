import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { XmlElement } from './xml-element.ts'

/** Much more than any XML that the Table service answers with. */
const LONGEST_XML = 64 * 1024

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  removeNSPrefix: true,
  processEntities: true,
  htmlEntities: true,
})

/**
 * The document in an XML answer.
 *
 * A document type could define entities that grow without bound, and no answer of the service has
 * one; so it is not read.
 *
 * @param text - the answer's body, with or without a byte order mark
 * @returns `undefined` when it is not well-formed XML, or cut off
 */
export function parseXml(text: string): XmlElement | undefined {
  if (text.length > LONGEST_XML || text.includes('<!')) return undefined
  try {
    return XMLValidator.validate(text) === true ? new XmlElement(parser.parse(text)) : undefined
  } catch {
    return undefined
  }
}
