import { parseXml } from '../xml/parse-xml.ts'
import type { FoundError } from './error-body.ts'

/**
 * What an error in XML says: `<m:error><m:code>…`, and `<Error><Code>…` of an emulator.
 *
 * @param body - the answer's body
 * @returns `undefined` when it is not one, such as the page of a proxy
 */
export function readXmlError(body: string): FoundError | undefined {
  const document = parseXml(body)
  const error = document?.child('error') ?? document?.child('Error')
  if (error === undefined) return undefined
  const code = error.child('code') ?? error.child('Code')
  const message = error.child('message') ?? error.child('Message')
  return { code: code?.text, message: message?.text }
}
