import { ServiceFault } from '../fault/service-fault.ts'
import type { XmlElement } from './xml-element.ts'

/**
 * The children of an element by their names.
 *
 * @param element - has nothing but these children, each once at most, in any order
 * @param names - the children that it may have
 * @throws ServiceFault InvalidXmlDocument
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
 * @throws ServiceFault InvalidXmlDocument, also when there is no element
 */
export function textOf(element: XmlElement | undefined): string {
  if (element === undefined || element.children.length > 0) throw malformed()
  return element.text
}

function malformed(): ServiceFault {
  return new ServiceFault('InvalidXmlDocument')
}
