import { DecodeError } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'
import type { HttpHeaders } from '../http/transport.ts'
import { SERVICE_VERSION } from '../request/headers.ts'
import type { XmlElement } from './parse-xml.ts'

/** The headers of a request whose response is XML. */
export const XML_READ_HEADERS: HttpHeaders = Object.freeze({
  accept: 'application/xml',
  'x-ms-version': SERVICE_VERSION,
})

/**
 * Reads an XML document, and loads the parser when it is first used: few programs need it.
 *
 * @param document - the text
 * @returns the root; `undefined` unless the text is well-formed XML without a document type
 * @throws `InputError` (`MissingDependency`) when the parser cannot be loaded; the next document tries again
 */
export async function readXml(document: string): Promise<XmlElement | undefined> {
  parse ??= (await import('./parse-xml.ts').catch(missingParser)).parseXml
  return parse(document)
}

let parse: typeof import('./parse-xml.ts').parseXml | undefined

function missingParser(cause: unknown): never {
  throw restInputError({
    code: 'MissingDependency',
    message:
      'The XML parser could not be loaded. Reload the page, or publish all files of the bundle.',
    cause,
  })
}

/**
 * Reads the XML in a response.
 *
 * @param operation - the operation's name, for the message
 * @param body - the response's body
 * @param root - the name that the root must have
 * @throws {@link DecodeError} when the body is anything else
 */
export async function readXmlResponse(
  operation: string,
  body: string,
  root: string,
): Promise<XmlElement> {
  const element = await readXml(body)
  if (element?.isNamed(root)) return element
  throw unexpectedXml(operation, `${body.length} characters that are not the XML of <${root}>`)
}

/**
 * Makes the error for a response whose XML the protocol does not allow.
 *
 * @param operation - the operation's name, for the message
 * @param found - what the response contains
 */
export function unexpectedXml(operation: string, found: string): DecodeError {
  return new DecodeError({
    message: `${operation}: the response contains ${found}. Check the endpoint, and any proxy in between.`,
    mayHaveApplied: false,
  })
}
