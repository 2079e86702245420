import { DecodeError } from '@rowkey/odata'
import type { XmlElement } from './xml-element.ts'

/**
 * The root of the XML that an operation was answered with.
 *
 * @param operation - the operation's name, for the message
 * @param body - the answer's body
 * @param root - the name that the root must have
 * @throws {@link DecodeError} when the body is anything else
 */
export async function readXmlAnswer(
  operation: string,
  body: string,
  root: string,
): Promise<XmlElement> {
  // Few programs ask for policies and properties, so most never load the parser.
  const { parseXml } = await import('./parse-xml.ts')
  const element = parseXml(body)?.child(root)
  if (element !== undefined) return element
  throw notExpected(operation, `${body.length} characters that are not the XML of <${root}>`)
}

/**
 * The error of an answer whose XML says what the protocol does not allow.
 *
 * @param operation - the operation's name, for the message
 * @param found - what was found, in words
 */
export function notExpected(operation: string, found: string): DecodeError {
  return new DecodeError({
    message: `${operation} was answered with ${found}. Is the endpoint right, and no proxy answering in its place?`,
    mayHaveApplied: false,
  })
}
