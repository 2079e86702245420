import { XMLParser } from 'fast-xml-parser'
import type { FoundError } from './error-body.ts'

const LONGEST_ERROR = 64 * 1024

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  removeNSPrefix: true,
  processEntities: true,
})

/**
 * What an error in XML says: `<m:error><m:code>…`, and `<Error><Code>…` of an emulator.
 *
 * A document type could define entities that grow without bound, and no answer of the service has
 * one; so it is not read.
 *
 * @param body - the answer's body
 * @returns `undefined` when it is not one, such as the page of a proxy
 */
export function readXmlError(body: string): FoundError | undefined {
  if (body.length > LONGEST_ERROR || body.includes('<!')) return undefined
  let document: Record<string, unknown>
  try {
    document = parser.parse(body) as Record<string, unknown>
  } catch {
    return undefined
  }
  const error = document.error ?? document.Error
  if (typeof error !== 'object' || error === null) return undefined
  const members = error as Record<string, unknown>
  return { code: members.code ?? members.Code, message: members.message ?? members.Message }
}
