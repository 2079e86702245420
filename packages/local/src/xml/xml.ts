import { readXml, writeXml, type XmlChildren, type XmlElement } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'

/** Prints a document as the service does: after a byte order mark, and with a blank in empty elements. */
export function printDocument(name: string, content: XmlChildren): string {
  // Text cannot contain a `>`, which is escaped.
  return `\ufeff${writeXml(name, content).replaceAll('/>', ' />')}`
}

/**
 * Reads the XML document in the body of a request.
 *
 * @throws Rejection InvalidXmlDocument
 */
export async function readDocument(body: string): Promise<XmlElement> {
  const root = await readXml(body)
  if (root === undefined) throw malformedXml()
  return root
}

/**
 * Returns the children of an element by their names.
 *
 * @param element - contains only these children, each at most once, in any order
 * @param names - the names of possible children
 * @throws Rejection InvalidXmlDocument
 */
export function membersOf<Name extends string>(
  element: XmlElement,
  names: readonly Name[],
): Readonly<Partial<Record<Name, XmlElement>>> {
  const members: Partial<Record<Name, XmlElement>> = {}
  if (element.text.trim() !== '') throw malformedXml()
  for (const child of element.children) {
    const name = names.find((one) => one === child.name)
    if (name === undefined || members[name] !== undefined) throw malformedXml()
    members[name] = child
  }
  return members
}

/**
 * Returns the text of an element without children.
 *
 * @throws Rejection InvalidXmlDocument, also for a missing element
 */
export function textOf(element: XmlElement | undefined): string {
  if (element === undefined || element.children.length > 0) throw malformedXml()
  return element.text
}

/** Makes the rejection of a document that has another form. */
export function malformedXml(): Rejection {
  return new Rejection('InvalidXmlDocument')
}
