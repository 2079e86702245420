import { ServiceFault } from '../fault/service-fault.ts'
import { textOf } from '../xml/members-of.ts'
import type { XmlElement } from '../xml/xml-element.ts'

/** Of an element that must be there: `true` or `false`, in any case. */
export function readBoolean(element: XmlElement | undefined): boolean {
  const text = textOf(element).trim().toLowerCase()
  if (text !== 'true' && text !== 'false') throw new ServiceFault('InvalidXmlDocument')
  return text === 'true'
}

/** Of an element that must be there: a whole number from `low` to `high`. */
export function readNumber(element: XmlElement | undefined, low: number, high: number): number {
  const text = textOf(element).trim()
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (number >= low && number <= high) return number
  throw new ServiceFault('InvalidXmlDocument')
}

/** Of an element that must be there: the names between its commas; none when it is empty. */
export function readList(element: XmlElement | undefined): readonly string[] {
  const text = textOf(element).trim()
  return text === '' ? [] : text.split(',').map((name) => name.trim())
}
