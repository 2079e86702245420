import { readXml, type XmlElement } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'

const SPECIAL = /[&<>]/g
const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** A document as the service writes it: a byte order mark, the declaration, and one element. */
export function printDocument(element: string): string {
  return `\ufeff<?xml version="1.0" encoding="utf-8"?>${element}`
}

/** An element around XML text; an empty one has the short form. */
export function printElement(name: string, content: string): string {
  return content === '' ? `<${name} />` : `<${name}>${content}</${name}>`
}

/** An element around text. */
export function printText(name: string, text: string | number | boolean): string {
  return printElement(
    name,
    String(text).replace(SPECIAL, (character) => REFERENCES[character] ?? character),
  )
}

/**
 * Reads the XML document in the body of a request.
 *
 * @throws Rejection InvalidXmlDocument
 */
export async function readDocument(body: string): Promise<XmlElement> {
  const root = await readXml(body)
  if (root === undefined) throw malformed()
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
  if (element.children.length === 0 && element.text.trim() !== '') throw malformed()
  for (const child of element.children) {
    const name = names.find((one) => one === child.name)
    if (name === undefined || members[name] !== undefined) throw malformed()
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
  if (element === undefined || element.children.length > 0) throw malformed()
  return element.text
}

function malformed(): Rejection {
  return new Rejection('InvalidXmlDocument')
}
