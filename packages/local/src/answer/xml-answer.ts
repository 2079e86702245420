import { printDocument } from '../xml/print-xml.ts'
import type { Answer } from './answer.ts'

/**
 * What the operations with a `comp` answer.
 *
 * @param element - the document's one element, as XML
 */
export function xmlAnswer(element: string): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: printDocument(element),
  }
}
